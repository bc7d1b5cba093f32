"""Measure a turn without model time: models answer at once, everything else is real."""

import asyncio
import cProfile
import io
import pstats
import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import quantiles
from uuid import UUID, uuid4

import numpy as np
import psycopg
from pydantic import SecretStr

from benchmarks.doubles.models import Pieces, RecordedRequest, Reply, ScriptedModels
from benchmarks.memory.speed import remember, scanning
from saegim.app.container import Services, build
from saegim.app.infrastructure import Fakes
from saegim.app.settings import Settings
from saegim.auth.types import ActAs
from saegim.chat.events import Position, Token
from saegim.chat.service import prepare
from saegim.chat.types import ChatRequest
from saegim.conversations.types import Lease, Outcome, TurnState
from saegim.db.cells import HOME_CELL
from saegim.db.migrate import ensure_database, migrate
from saegim.domain.ids import new_id
from saegim.domain.scope import Caller
from saegim.encryption import key_store as keyring_store
from saegim.encryption.cipher import new_key
from saegim.encryption.keyring import format_master_key
from saegim.library.index_ports import IndexRow
from saegim.library.types import SearchFilter
from saegim.llm.ports import ModelRole
from saegim.localservers.servers import LocalServers
from saegim.memory.recall.types import RecallRequest
from saegim.text.analysis import passage_terms, query_terms

BATCH = 2_000
PER_DOCUMENT = 20
TOKENS_PER_SECOND = 50
SUBJECTS = "비용 예산 알림 계정 권한 보고 태그 정책 지역 요금 센서 전력 서버 저장 로그"
DEEDS = "설정 분석 관리 오류 절차 조건 기준 한도 목록 변경 조회 삭제 승인 공유 연동"
WORDS = [f"{subject}{deed}" for subject in SUBJECTS.split() for deed in DEEDS.split()]


@dataclass(frozen=True, slots=True)
class BenchStack:
    """Services with a tenant whose library is filled."""

    services: Services
    caller: Caller
    collection: UUID


def at_once(_: RecordedRequest) -> Reply:
    """Answers without taking time."""
    return "확인했습니다 [1]. 자세한 내용은 문서를 보세요."


async def measure(passages: int, memories: int, turns: int) -> dict[str, float]:
    """Returns the figures and prints a profile."""
    with tempfile.TemporaryDirectory(prefix="saegim-bench-") as folder:
        servers = LocalServers.start(Path(folder), durable=True)
        services = _services(servers, Path(folder))
        try:
            await services.open()
            await services.warm_up()
            bench_stack = await _fill(services, servers, passages)
            await remember(services, servers.postgres.url("saegim"), bench_stack.caller, memories)
            figures = await _figures(bench_stack, turns)
        finally:
            await services.close()
            servers.stop()
    return figures | {"turn.passages": float(passages), "turn.memories": float(memories)}


def _services(servers: LocalServers, folder: Path) -> Services:
    for name in ("saegim", "keyring"):
        ensure_database(servers.postgres.url(), name)
    app = servers.postgres.url("saegim", user="saegim_app")
    migrate(servers.postgres.url("saegim"), app)
    keyring_store.prepare(servers.postgres.url("keyring"))
    settings = Settings(
        postgres_url=SecretStr(app),
        keyring_url=SecretStr(servers.postgres.url("keyring")),
        redis_url=SecretStr(servers.valkey.url),
        master_key=SecretStr(format_master_key(new_key())),
        index_url=str(folder / "index"),
    )
    return build(settings, Fakes(models=ScriptedModels({ModelRole.LITE: at_once})))


async def _fill(services: Services, servers: LocalServers, passages: int) -> BenchStack:
    """Inserts passages into database and index, as an import would."""
    made = await services.auth.tenants.create("벤치", "ko", HOME_CELL)
    tenant, [collection] = made.tenant.id, made.assistant.collections
    chance = random.Random(7)
    dimensions = services.llm.embedder.dimensions
    await services.library.index.create(tenant, 1, dimensions)
    with psycopg.connect(servers.postgres.url("saegim"), autocommit=True) as connection:
        connection.execute("set search_path to saegim, public")
        for start in range(0, passages, BATCH):
            vectors = _vectors(start, min(BATCH, passages - start), dimensions)
            rows = _rows(chance, collection, vectors)
            _record(connection, tenant, collection, rows)
            await services.library.index.put(tenant, 1, [row for row, _, _ in rows])
        connection.execute(
            "update index_state set index_version = 1, embedder = %s, dimensions = %s "
            "where tenant_id = %s and subject = 'library'",
            (services.llm.embedder.name, dimensions, tenant),
        )
        connection.execute("analyze")
    await services.library.index.optimise(tenant, 1)
    caller = await services.auth.authentication.authenticate(made.key, ActAs("bench"))
    return BenchStack(services, caller, collection)


type _Row = tuple[IndexRow, str, UUID]


def _vectors(seed: int, count: int, dimensions: int) -> list[list[float]]:
    drawn = np.random.default_rng(seed).normal(size=(count, dimensions))
    return (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).tolist()


def _rows(
    chance: random.Random, collection: UUID, vectors: Sequence[Sequence[float]]
) -> list[_Row]:
    rows: list[_Row] = []
    document, section = uuid4(), uuid4()
    for number, vector in enumerate(vectors):
        if number % PER_DOCUMENT == 0:
            document, section = uuid4(), uuid4()
        text = " ".join(chance.choices(WORDS, k=60)) + "."
        row = IndexRow(
            uuid4(), document, collection, "faq" if number % 10 == 0 else "guide",
            " ".join(passage_terms("", text)), vector,
            False, False, False, "ko",
        )  # fmt: skip
        rows.append((row, text, section))
    return rows


def _record(
    connection: psycopg.Connection, tenant: UUID, collection: UUID, rows: Sequence[_Row]
) -> None:
    documents = {row.document: (row.type, section) for row, _, section in rows}
    cursor = connection.cursor()
    with cursor.copy(
        "copy document (tenant_id, document_id, collection_id, outside_id, lookup_key, type, title,"
        " version, metadata, created_at, updated_at) from stdin"
    ) as copy:
        for document, (kind, _) in documents.items():
            name = f"d-{document.hex}"
            copy.write_row((tenant, document, collection, name, name, kind, name, "1", "{}",
                            "2026-01-01", "2026-01-01"))  # fmt: skip
    with cursor.copy(
        "copy section (tenant_id, section_id, document_id, ordinal, path) from stdin"
    ) as c:
        for document, (_, section) in documents.items():
            c.write_row((tenant, section, document, 0, ["절"]))
    with cursor.copy(
        "copy passage (tenant_id, passage_id, document_id, section_id, ordinal, text, content_hash,"
        " tokens, has_steps, has_conditions, has_table, language, names) from stdin"
    ) as copy:
        for number, (row, text, section) in enumerate(rows):
            copy.write_row((tenant, row.passage, row.document, section, number, text, b"x", 120,
                            False, False, False, "ko", []))  # fmt: skip


async def _figures(bench_stack: BenchStack, turns: int) -> dict[str, float]:
    await _many(bench_stack, _turn, 5, 1)
    figures: dict[str, float] = {}
    for at_once_ in (1, 16):
        ours, seconds = await _many(bench_stack, _turn, turns, at_once_)
        bare, _ = await _many(bench_stack, _bare, turns, at_once_)
        name = f"c{at_once_}"
        figures |= {
            f"turn.p50_ms.{name}": _at(ours, 50),
            f"turn.p95_ms.{name}": _at(ours, 95),
            f"turn.p50_ratio.{name}": _at(ours, 50) / _at(bare, 50),
            f"turn.p95_ratio.{name}": _at(ours, 95) / _at(bare, 95),
            f"bare.p50_ms.{name}": _at(bare, 50),
            f"turns_per_s.{name}": len(ours) / seconds,
        }
    figures["turn.first_token_ms.p50"] = await _first_token(bench_stack)
    await _profile(bench_stack)
    return figures


def _question() -> str:
    return " ".join(random.choices(WORDS, k=4)) + " 방법을 알려주세요"


async def _turn(bench_stack: BenchStack, session: str) -> None:
    """Sends a message and waits until its answer is recorded."""
    opened = await bench_stack.services.chat.turns.receive(
        bench_stack.caller, ChatRequest(_question(), session)
    )
    await bench_stack.services.chat.turns.reply(bench_stack.caller.scope, opened.turn.id)


async def _bare(bench_stack: BenchStack, session: str) -> None:
    """Makes the calls of such a turn to the stores and the index, without Saegim."""
    services, caller, question = bench_stack.services, bench_stack.caller, _question()
    scope, now = caller.scope, services.clock.now()
    lease = Lease(uuid4(), 1)
    times = services.chat.turns.times
    request = ChatRequest(question, session)
    new = await prepare(request, times, lease, new_id(now), now, masking=services.masking)
    opened = await services.conversations.turns.receive(caller, new)
    await services.conversations.working_memory.open(
        scope, opened.turn.session, opened.mark, lambda _: None
    )
    await services.auth.repository.assistant(scope.tenant, caller.assistant)
    # The message as written, and combined with the previous one.
    asked = [question, f"{_question()} {question}"]
    vectors = await services.llm.embedder.embed(asked, "query")
    scan = await scanning(services, RecallRequest(scope, question, now, "Asia/Seoul"))
    where = SearchFilter(frozenset({bench_stack.collection}))
    sides = (
        replace(where, types=frozenset({"faq"})),
        replace(where, without_types=frozenset({"faq"})),
    )
    recalled = asyncio.create_task(_awaited(scan))
    words, nearest = await asyncio.gather(
        asyncio.gather(
            *(
                services.library.index.lexical(scope.tenant, 1, query_terms(text), w, 50, vector)
                for text, vector in zip(asked, vectors, strict=True)
                for w in sides
            )
        ),
        asyncio.gather(
            *(services.library.index.dense_of_each(scope.tenant, 1, vectors, w, 50) for w in sides)
        ),
    )
    found = [*words, *(hits for side in nearest for hits in side)]
    passages = {hit.passage for hits in found for hit in hits}
    documents = services.library.repository
    await documents.places(scope.tenant, list(passages), [bench_stack.collection])
    await recalled
    await services.conversations.settlement.settle(
        opened.turn, lease, Outcome(TurnState.DONE, "답"), []
    )


async def _awaited(call: Callable[[], Awaitable[object]]) -> object:
    return await call()


async def _many(
    bench_stack: BenchStack,
    work: Callable[[BenchStack, str], Awaitable[None]],
    count: int,
    at_once_: int,
) -> tuple[list[float], float]:
    """Runs turns in concurrent sessions; returns the milliseconds of each, and the total
    seconds."""
    took: list[float] = []
    left = iter(range(count))

    async def session(number: int) -> None:
        name = f"{work.__name__}-{number}-{uuid4().hex[:6]}"
        for _ in left:
            began = time.perf_counter()
            await work(bench_stack, name)
            took.append((time.perf_counter() - began) * 1000)

    began = time.perf_counter()
    await asyncio.gather(*(session(number) for number in range(at_once_)))
    return took, time.perf_counter() - began


async def _first_token(bench_stack: BenchStack) -> float:
    """Returns milliseconds until the first token of a model that writes fifty per second."""
    models = bench_stack.services.llm.models
    assert isinstance(models, ScriptedModels)
    slow = Pieces(tuple(f"말{n} " for n in range(100)), 1 / TOKENS_PER_SECOND)
    fast = models.scripts
    models.scripts = {**fast, ModelRole.LITE: lambda _: slow}
    took: list[float] = []
    for number in range(10):
        began = time.perf_counter()
        request = ChatRequest(_question(), f"first-{number}")
        opened = await bench_stack.services.chat.turns.receive(bench_stack.caller, request)
        scope = bench_stack.caller.scope
        async for event in bench_stack.services.chat.turns.follow(
            scope, opened.turn.id, Position()
        ):
            if isinstance(event, Token):
                took.append((time.perf_counter() - began) * 1000)
                break
        await bench_stack.services.chat.turns.cancel(scope, opened.turn.id)
    models.scripts = fast
    return _at(took, 50)


async def _profile(bench_stack: BenchStack) -> None:
    profile = cProfile.Profile()
    profile.enable()
    await _many(bench_stack, _turn, 20, 1)
    profile.disable()
    text = io.StringIO()
    pstats.Stats(profile, stream=text).sort_stats("tottime").print_stats(25)
    print(text.getvalue())


def _at(values: Sequence[float], percent: int) -> float:
    return quantiles(sorted(values), n=100, method="inclusive")[percent - 1]
