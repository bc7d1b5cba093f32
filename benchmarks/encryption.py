"""Measure the cost of encryption: the same turns and recalls with and without it.

Two services on the same servers, each with its own tenant; one of them does not encrypt. Both
alternate, so that other load affects both.
"""

import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID, uuid4

import httpx2

from benchmarks import results
from benchmarks.doubles.embedders import HashEmbedder, hashed_vector
from benchmarks.erasure import Person, Town, town
from benchmarks.page import everything, publish
from saegim.api.app import create_app
from saegim.app.container import build
from saegim.app.infrastructure import Fakes
from saegim.auth.types import ActAs
from saegim.conversations.state_cache import RedisStateCache
from saegim.db.cells import HOME_CELL
from saegim.encryption.cipher import Cipher, FieldLocation
from saegim.encryption.key_store import PostgresKeys
from saegim.encryption.keyring import Keyring
from saegim.memory.recall.types import RecallRequest
from saegim.memory.repository import PostgresRecords
from saegim.memory.types import (
    Actor,
    ChangeReason,
    MemoryType,
    NewRecord,
    Origin,
    Searchable,
    Statement,
)
from saegim.text import analysis

TURNS = 60
RECALLS = 60
RECORDS = 500
GOAL = 1.2


class PlainCipher(Cipher):
    """A cipher that stores plain text behind the usual header."""

    def seal_bytes(self, content: bytes, place: FieldLocation) -> bytes:  # noqa: ARG002 - the signature
        return b"\x01\x00\x01" + content

    def open_bytes(self, sealed: bytes, place: FieldLocation) -> bytes:  # noqa: ARG002 - the signature
        return sealed[3:]


class PlainKeyring(Keyring):
    async def user(self, tenant: UUID, user: UUID) -> Cipher:
        return PlainCipher((await self.keys_of(tenant, user)).keys[1], 1)

    async def tenant(self, tenant: UUID) -> Cipher:
        return PlainCipher((await self.keys_of(tenant, UUID(int=0))).keys[1], 1)


async def main() -> int:
    with TemporaryDirectory(prefix="saegim-encryption-") as folder:
        async with town(Path(folder), working=False) as place:
            sealed: Town = place

            def plainly(store: PostgresKeys) -> Keyring:
                return PlainKeyring(sealed.services.encryption.keyring.master, store)

            fakes = Fakes(embedder=HashEmbedder(), keyring=plainly)
            services = build(sealed.settings, fakes)
            await services.open()
            tenant = await services.auth.tenants.create("without", "ko", HOME_CELL)
            transport = httpx2.ASGITransport(app=create_app(services))
            async with httpx2.AsyncClient(
                transport=transport, base_url="http://plain", timeout=60
            ) as http:
                plain = Town(sealed.folder, sealed.servers, sealed.settings, services, http, tenant)
                for here in (sealed, plain):
                    await _remember(here)
                turns = await _compare(TURNS, lambda n: _turn(sealed, n), lambda n: _turn(plain, n))
                recalls = await _compare(
                    RECALLS, lambda _: _recall(sealed), lambda _: _recall(plain)
                )
            await services.close()
    figures = {
        "turn_ms_sealed": turns[0],
        "turn_ms_plain": turns[1],
        "turn_ratio": round(turns[0] / turns[1], 3),
        "recall_ms_sealed": recalls[0],
        "recall_ms_plain": recalls[1],
        "recall_ratio": round(recalls[0] / recalls[1], 3),
    }
    results.write(
        "encryption",
        figures,
        {"turns": TURNS, "recalls": RECALLS, "records": RECORDS, "models": "offline"},
    )
    publish("encryption", everything(figures))
    print(figures)
    return 0 if max(figures["turn_ratio"], figures["recall_ratio"]) <= GOAL else 1


async def _turn(here: Town, number: int) -> None:
    await here.say(Person(1), number)


async def _remember(here: Town) -> None:
    """Writes records to recall."""
    services = here.services
    caller = await services.auth.authentication.authenticate(here.tenant.key, ActAs(Person(1).name))
    keyring = services.encryption.keyring
    records = PostgresRecords(
        services.db.cells,
        keyring,
        services.clock,
        services.jobs.queue,
        RedisStateCache(services.db.redis, keyring),
    )
    for number in range(RECORDS):
        text = f"{number}번째 고양이의 이름은 나비{number}이고 사료는 {number % 7}번입니다."
        vector = hashed_vector(text, services.llm.embedder.dimensions)
        new = NewRecord(
            statement=Statement(MemoryType.FACT, text, 0.5, topic="고양이"),
            said_at=services.clock.now(),
            sources=(uuid4(),),
            quote=text,
            origin=Origin.MODEL,
            searchable=Searchable(vector, analysis.index_terms(text), services.llm.embedder.name),
        )
        await records.add(caller.scope, new, ChangeReason(Actor.PERSON, ""))


async def _recall(here: Town) -> None:
    services = here.services
    caller = await services.auth.authentication.authenticate(here.tenant.key, ActAs(Person(1).name))
    now = services.clock.now()
    request = RecallRequest(caller.scope, "내 고양이 이름은?", now, "Asia/Seoul")
    found = await services.memory.recall.recall(request)
    assert found != type(found)(), "there is something to recall"


async def _compare(
    count: int,
    first: Callable[[int], Awaitable[None]],
    second: Callable[[int], Awaitable[None]],
) -> tuple[float, float]:
    """Returns the medians of both in milliseconds, measured alternately."""
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(count + 5):
        for which, work in enumerate((first, second)):
            began = time.perf_counter()
            await work(number)
            if number >= 5:
                times[which].append((time.perf_counter() - began) * 1000)
    return round(statistics.median(times[0]), 2), round(statistics.median(times[1]), 2)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
