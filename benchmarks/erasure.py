"""Erase users under load, and search every byte for their data.

Users with planted strings chat through the API while a worker runs. After a backup, one silent and
one chatting user are erased, and another backup is made. Then every file of Postgres, its WAL,
Valkey, the index, the logs and the new backup is searched for their messages, names and derived
data; the conversations of the others are compared; and the old backup is restored.

Both had attached a file. Documents are not encrypted with a user's key: index, Valkey, logs and the
new backup must not contain it, Postgres' files only until `vacuum full`. The WAL and the old backup
contain it until they expire and are not searched for it. `make verify-erasure` runs it with 20
users; a test runs a small one.
"""

import asyncio
import contextlib
import logging
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote
from uuid import UUID

import httpx2
import psycopg
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from pydantic import SecretStr

from benchmarks import results
from benchmarks.doubles.embedders import HashEmbedder
from benchmarks.doubles.patience import patient
from benchmarks.erasure_search import TENANT, Findings, Person, rewrite_pages, search_bytes
from benchmarks.idle import until_idle
from benchmarks.page import everything, publish
from benchmarks.prepared_cluster import copy_data, start_servers
from saegim.api.app import create_app
from saegim.app.container import Services, build
from saegim.app.infrastructure import Fakes, KeyTimes
from saegim.app.settings import Settings
from saegim.auth.tenants import NewTenant
from saegim.auth.types import ActAs
from saegim.db.cells import HOME_CELL
from saegim.domain.errors import UserErased
from saegim.encryption.cipher import new_key
from saegim.encryption.keyring import format_master_key
from saegim.governance.backup.backups import Backups
from saegim.governance.erasure.service import signed_bytes
from saegim.governance.personal_data import PERSONAL
from saegim.localservers.servers import LocalServers

TIMES = KeyTimes(remember=1.0, margin=0.5, last_look=1.0)


@dataclass
class Town:
    """The services, a tenant and its users."""

    folder: Path
    servers: LocalServers
    settings: Settings
    services: Services
    http: httpx2.AsyncClient
    tenant: NewTenant

    def headers(self, person: str, profile: str | None = None) -> dict[str, str]:
        named = {"Saegim-User": quote(person), "Saegim-Session": "s"}
        if profile:
            named["Saegim-Profile"] = quote(profile)
        return {"Authorization": f"Bearer {self.tenant.key}", **named}

    async def ask(
        self, method: str, path: str, headers: dict[str, str], body: Any = None
    ) -> httpx2.Response:
        """Returns a response; retries while the server is busy."""
        async with asyncio.timeout(120):
            while True:
                response = await self.http.request(method, path, json=body, headers=headers)
                if response.status_code != 503:
                    return response
                await asyncio.sleep(0.3)

    async def say(self, person: Person, turn: int) -> int:
        sentence = person.sentence(turn)
        headers = self.headers(person.name) | {"Idempotency-Key": f"{person.number}-{turn}"}
        response = await self.ask("POST", "/v1/chat", headers, {"message": sentence})
        if response.status_code == 200:
            person.said.append(sentence)
            person.session = response.json()["session_id"]
        return response.status_code

    async def attach(self, person: Person) -> None:
        """Attaches the user's file and waits until it is indexed."""
        headers = self.headers(person.name)
        opened = (await self.ask("POST", "/v1/ingests", headers, {"own": True})).json()
        path = f"/v1/ingests/{opened['ingest_id']}"
        content = person.attached()
        sent = await self.http.put(f"{path}/files/{person.file}", content=content, headers=headers)
        assert sent.status_code == 202, sent.text
        async with asyncio.timeout(120):
            while not await self.finds_attached(person):  # noqa: ASYNC110 - it is asked
                await asyncio.sleep(0.2)

    async def finds_attached(self, person: Person) -> bool:
        query = {"query": f"zoeprivate{person.number:04d}"}
        found = await self.ask("POST", "/v1/search", self.headers(person.name), query)
        return person.file in found.text

    async def member(self, person: Person) -> UUID:
        caller = await self.services.auth.authentication.authenticate(
            self.tenant.key, ActAs(person.name, None)
        )
        return caller.scope.user

    async def read_back(self, person: Person) -> list[str]:
        path = f"/v1/sessions/{person.session}/turns"
        page = await self.ask("GET", path, self.headers(person.name))
        return [turn["message"] for turn in page.json()["turns"]]

    async def erase(self, member: UUID) -> dict[str, Any]:
        """Requests an erasure as an admin with a reason, and waits for the receipt."""
        body = {"member_id": str(member), "reason": "a letter of 15 November"}
        asked = await self.ask("POST", "/v1/erasures", self.headers("admin"), body)
        assert asked.status_code == 202, asked.text
        path = f"/v1/erasures/{asked.json()['erasure_id']}"
        async with asyncio.timeout(120):
            while True:
                found = (await self.ask("GET", path, self.headers("admin"))).json()
                if found["state"] == "done":
                    return found
                await asyncio.sleep(0.1)

    def rows(self, member: UUID, database: str = "saegim") -> dict[str, int]:
        """Counts the rows of a user in each table, with the owner's role."""
        with psycopg.connect(self.servers.postgres.url(database)) as connection:
            connection.execute("set search_path to saegim, public")
            found: dict[str, int] = {}
            own = "(select collection_id from collection where owner_id = %(member)s)"
            for table in PERSONAL:
                if table.erase is None:
                    continue
                where = {
                    "memory_version": "memory_id in (select memory_id from memory "
                    "where member_id = %(member)s)",
                    "consent": "subject_id = %(member)s or subject_id in "
                    "(select session_id from session where member_id = %(member)s)",
                    "guild_activity": "name_hash in (select outside_id_hash from member "
                    "where member_id = %(member)s union all "
                    "select outside_id_hash from identity where member_id = %(member)s)",
                    "document": f"collection_id in {own}",
                    "original": "owner_id = %(member)s",
                    "original_part": "original_id in "
                    "(select original_id from original where owner_id = %(member)s)",
                    "ingest": f"collection_id in {own}",
                    "collection": f"collection_id in {own}",
                    "team_memory": "team_memory_id in (select team_memory_id "
                    "from team_memory_source where member_id = %(member)s)",
                }.get(table.name, "member_id = %(member)s")
                statement = f"select count(*) from {table.name} where {where}"  # noqa: S608 - names of ours
                row = connection.execute(statement.encode(), {"member": member}).fetchone()
                found[table.name] = row[0] if row else 0
        return found


@contextlib.asynccontextmanager
async def town(folder: Path, *, working: bool = True):
    """Starts servers whose files belong to this run, with a complete log."""
    servers = start_servers(folder / "servers")
    copy_data(servers.postgres, "restored")
    settings = Settings(
        postgres_url=SecretStr(servers.postgres.url("saegim", user="saegim_app")),
        postgres_admin_url=SecretStr(servers.postgres.url("saegim")),
        keyring_url=SecretStr(servers.postgres.url("keyring")),
        redis_url=SecretStr(servers.valkey.url),
        master_key=SecretStr(format_master_key(new_key())),
        previous_master_keys=SecretStr(format_master_key(new_key())),
        index_url=str(folder / "index"),
        limits="",
    )
    # Logs of the test's own HTTP client are not the product's.
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    log = logging.FileHandler(folder / "everything.log", encoding="utf-8")
    root = logging.getLogger()
    level = root.level
    root.addHandler(log)
    root.setLevel(logging.DEBUG)
    services = build(settings, patient(Fakes(embedder=HashEmbedder(), key_times=TIMES)))
    await services.open()
    tenant = await services.auth.tenants.create(TENANT, "ko", HOME_CELL)
    transport = httpx2.ASGITransport(app=create_app(services))
    worker = services.worker()
    task = asyncio.create_task(worker.run()) if working else None
    try:
        async with httpx2.AsyncClient(
            transport=transport, base_url="http://saegim", timeout=60
        ) as http:
            yield Town(folder, servers, settings, services, http, tenant)
    finally:
        worker.stop()
        if task is not None:
            await asyncio.wait_for(task, 120)
        await services.close()
        root.removeHandler(log)
        root.setLevel(level)
        log.close()
        servers.stop()


async def run(people: int, turns: int) -> Findings:
    """Runs the scenario once."""
    findings, began = Findings(), time.monotonic()
    with TemporaryDirectory(prefix="saegim-erasure-") as place:
        folder = Path(place)
        crowd = [Person(number) for number in range(people)]
        gone, silent = crowd[:2], crowd[0]
        async with town(folder) as place_of_all:
            here: Town = place_of_all
            for turn in range(turns):
                await asyncio.gather(*[here.say(person, turn) for person in crowd])
            await asyncio.gather(*[here.attach(person) for person in crowd[:3]])
            profile = f"profile-{silent.number:04d}-of-mine"
            await here.ask("GET", "/v1/me", here.headers(silent.name, profile))
            await until_idle(here.services)
            members = {person.number: await here.member(person) for person in crowd[:2]}
            keyring, keys = here.services.encryption.keyring, here.services.encryption.keys
            backups = Backups(here.servers.postgres.url("saegim"), keyring, keys)
            now = here.services.clock.now()
            await backups.back_up(folder / "old.backup", now)
            before = here.rows(members[0])
            receipt = await _erase_amid_talk(here, crowd, members, turns)
            await _compare(here, findings, receipt, before)
            findings.left_in_rows = {
                f"{member}.{name}": count
                for member in members.values()
                for name, count in here.rows(member).items()
                if count
            }
            await backups.back_up(folder / "new.backup", now)
            await _read_others(here, findings, crowd[2:])
            await _restore(here, findings, members, gone)
            findings.attached_in_pages = await rewrite_pages(here.servers, folder, gone)
            master = here.services.encryption.keyring.master
        await search_bytes(folder, findings, gone, master)
    findings.seconds = round(time.monotonic() - began, 1)
    return findings


async def _erase_amid_talk(
    here: Town, crowd: list[Person], members: dict[int, UUID], turns: int
) -> dict[str, Any]:
    """Erases the silent and a chatting user while the others continue to chat."""
    over = asyncio.Event()

    async def talk(person: Person) -> None:
        turn = turns
        while not over.is_set():
            status = await here.say(person, turn)
            # Only the erased user is refused, from some time on.
            if status != 200 and person.number != crowd[1].number:
                raise AssertionError(f"{person.name} was refused: {status}")
            turn += 1
            await asyncio.sleep(0.05)

    talks = [asyncio.create_task(talk(person)) for person in crowd[1:]]
    await asyncio.sleep(0.5)
    receipt, _ = await asyncio.gather(here.erase(members[0]), here.erase(members[1]))
    over.set()
    await asyncio.gather(*talks)
    await until_idle(here.services)
    return receipt


async def _compare(
    here: Town, findings: Findings, receipt: dict[str, Any], before: dict[str, int]
) -> None:
    """Checks the signature of the receipt, and compares its counts with the rows that existed."""
    removed = receipt["receipt"]["removed"]["postgres"]
    findings.receipt_differs = {
        name: (removed[name], count) for name, count in before.items() if removed[name] != count
    }
    findings.erased_rows = sum(removed.values())
    key = await here.ask("GET", "/v1/erasures/public-key", here.headers("admin"))
    public = bytes.fromhex(key.json()["public_key"])
    signature = bytes.fromhex(receipt["signature"])
    changed = receipt["receipt"] | {"done_at": "2020-01-01T00:00:00+00:00"}
    findings.receipt_forged = not genuine(receipt["receipt"], signature, public) or genuine(
        changed, signature, public
    )


def genuine(receipt: Mapping[str, Any], signature: bytes, public_key: bytes) -> bool:
    """Return whether the tenant signed exactly this receipt."""
    try:
        key = Ed25519PublicKey.from_public_bytes(public_key)
        key.verify(signature, signed_bytes(receipt))
    except (InvalidSignature, ValueError):
        return False
    return True


async def _read_others(here: Town, findings: Findings, others: list[Person]) -> None:
    for person in others:
        if await here.read_back(person) != person.said[:100]:
            findings.others_changed.append(person.name)
    # The first of them also attached a file.
    if not await here.finds_attached(others[0]):
        findings.others_changed.append(others[0].file)


async def _restore(
    here: Town, findings: Findings, members: dict[int, UUID], gone: list[Person]
) -> None:
    """Restores the old backup, which contains the erased users, and checks that they stay
    erased."""
    url = here.servers.postgres.url("restored")
    backups = Backups(url, here.services.encryption.keyring, here.services.encryption.keys)
    restored = await backups.restore(here.folder / "old.backup")
    if restored.erased != len(gone):
        findings.came_back.append(f"{restored.erased} of {len(gone)} were erased again")
    for number, member in members.items():
        back = {name: n for name, n in here.rows(member, "restored").items() if n}
        if back:
            findings.came_back.append(f"{number}: {back}")
        try:
            await here.services.encryption.keyring.user(here.tenant.tenant.id, member)
            findings.came_back.append(f"the key of {number}")
        except UserErased:
            pass


def main() -> int:
    found = asyncio.run(run(people=20, turns=4))
    figures: dict[str, float] = {
        "people": 20,
        "erased": 2,
        "rows_erased_of_one": found.erased_rows,
        "files_searched": found.searched_files,
        "files_with_a_string_of_the_erased": len(found.left_on_disk),
        "files_with_a_string_of_attached_files": len(found.attached_left),
        "postgres_files_with_deleted_rows_of_attached_files": found.attached_in_pages,
        "rows_left": sum(found.left_in_rows.values()),
        "others_changed": len(found.others_changed),
        "receipt_counts_that_differ": len(found.receipt_differs),
        "came_back_from_an_old_backup": len(found.came_back),
        "seconds": found.seconds,
    }
    results.write(
        "erasure", figures, {"models": "offline", "remember_keys_seconds": TIMES.remember}
    )
    publish("erasure", everything(figures))
    print(found)
    return 0 if found.clean else 1


if __name__ == "__main__":
    sys.exit(main())
