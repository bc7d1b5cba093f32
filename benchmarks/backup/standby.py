"""Fail over to a streaming standby, and recover a database to a point in time."""

import asyncio
import contextlib
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

import psycopg
from pydantic import SecretStr

from benchmarks.backup.restoring import rested, rows_in
from benchmarks.chaos.load import Library, Load, Person, count_turns, told, until
from benchmarks.durable import judge
from benchmarks.stack import LiveStack, Places
from saegim.app.container import build
from saegim.app.settings import Settings
from saegim.client.client import Retry, SaegimClient
from saegim.client.errors import ClientError
from saegim.db.cells import HOME_CELL
from saegim.db.migrate import ensure_database, migrate
from saegim.encryption import key_store as keyring_store
from saegim.encryption.cipher import new_key
from saegim.encryption.keyring import format_master_key
from saegim.localservers.cluster import find_account, find_programs
from saegim.localservers.postgres import LocalPostgres

STREAMING = b"select count(*) from pg_stat_replication where state = 'streaming'"
RECOVERED = b"select (not pg_is_in_recovery())::int"
TENANTS = b"select count(*) from saegim.tenant"
LAG = b"""
select coalesce(max(extract(epoch from replay_lag)), 0)::float8 from pg_stat_replication
"""


@dataclass(frozen=True, slots=True)
class Run:
    """How many turns are acknowledged before the primary dies, and at least after."""

    people: int = 4
    before: int = 60
    after: int = 20
    seed: int = 20_261_115


def base_backup(server: LocalPostgres, folder: Path, *options: str) -> None:
    """Copies a running server for a second one."""
    folder.mkdir(parents=True)
    command = [find_programs() / "pg_basebackup", "-D", folder / "data", "-d", server.url()]
    subprocess.run([*command, "-X", "stream", "-c", "fast", *options], check=True)
    account = find_account()
    for path in (folder / "data", *(folder / "data").rglob("*")):
        os.chown(path, account.user, account.group)


def either(folder: Path, database: str, user: str) -> str:
    """Returns whichever of primary and standby accepts writes."""
    hosts = ",".join(quote(str(folder / name / "run"), safe="") for name in ("postgres", "standby"))
    place = f"host={hosts}&port=5432,5432&target_session_attrs=read-write"
    return f"postgresql:///{database}?user={user}&{place}"


async def fail_over(run: Run) -> dict[str, float]:
    """Kills the primary under load; promotes the standby, which then serves."""
    with TemporaryDirectory(prefix="saegim-standby-") as name:
        folder = Path(name)
        more = {
            "SAEGIM_POSTGRES_URL": either(folder, "saegim", "saegim_app"),
            "SAEGIM_POSTGRES_ADMIN_URL": either(folder, "saegim", "postgres"),
            "SAEGIM_KEYRING_URL": either(folder, "keyring", "postgres"),
        }
        async with LiveStack.start(folder, workers=1, places=Places(more=more)) as stack:
            await asyncio.to_thread(base_backup, stack.postgres, folder / "standby", "-R")
            with LocalPostgres.start(folder / "standby") as standby:
                return await _fail_over(run, stack, standby)


async def _fail_over(run: Run, stack: LiveStack, standby: LocalPostgres) -> dict[str, float]:
    primary = stack.postgres
    await until(lambda: asyncio.to_thread(lambda: rows_in(primary.url(), STREAMING) == 1))
    with psycopg.connect(primary.url(), autocommit=True) as connection:
        # Synchronous replication from here on.
        connection.execute(b"alter system set synchronous_standby_names to '*'")
        connection.execute(b"select pg_reload_conf()")
    key = await stack.new_tenant("talking")
    people = [Person(f"user-{n}", key, mark=f"표지{n:03d}끝") for n in range(run.people)]
    load = Load(stack, people, Library(key))
    loading = asyncio.create_task(load.run(run.seed))
    await told(people, run.before)
    with psycopg.connect(primary.url()) as connection:
        row = connection.execute(LAG).fetchone()
    lag = row[0] if row else 0.0
    acknowledged = count_turns(people)
    began = time.monotonic()
    await asyncio.to_thread(primary.kill)
    await asyncio.to_thread(_promote, standby)
    promoted = time.monotonic() - began
    await _serves(stack, key)
    served = time.monotonic() - began
    await told(people, acknowledged + run.after)
    load.end()
    await loading
    await _settle_on(stack, standby)
    verdict = await judge(stack, people, standby)
    return {
        "standby.acknowledged_before": float(acknowledged),
        "standby.acknowledged": float(count_turns(people)),
        "standby.lost_turns": float(verdict.lost),
        "standby.doubled_turns": float(verdict.doubled),
        "standby.lag_seconds": round(lag, 3),
        "standby.promoted_seconds": round(promoted, 2),
        "standby.serves_seconds": round(served, 2),
    }


def _promote(standby: LocalPostgres) -> None:
    with psycopg.connect(standby.url(), autocommit=True) as connection:
        # Copied from the primary's settings, but it has no standby.
        connection.execute(b"alter system reset synchronous_standby_names")
        connection.execute(b"select pg_promote(wait => true)")


async def _serves(stack: LiveStack, key: str) -> None:
    """Waits for the first answer after the primary died."""
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(ClientError):
                async with SaegimClient(
                    stack.url, key, user="probe", timeout=5, retry=Retry(retries=0)
                ) as client:
                    if (await client.chat("살아 있어?")).state == "done":
                        return
            await asyncio.sleep(0.1)


async def _settle_on(stack: LiveStack, standby: LocalPostgres) -> None:
    """Replaces the primary in the stack with the standby."""
    stack.postgres = standby
    await rested(stack)


async def point_in_time(tenants: int = 10) -> dict[str, float]:
    """Deletes everything, then recovers the database to the time before."""
    with TemporaryDirectory(prefix="saegim-moment-") as name:
        folder = Path(name)
        archive = folder / "archive"
        archive.mkdir()
        account = find_account()
        os.chown(archive, account.user, account.group)
        archiving = {"archive_mode": "on", "archive_command": f"cp %p {archive}/%f"}
        with LocalPostgres.start(folder / "postgres", archiving) as server:
            settings = _prepare(server)
            await asyncio.to_thread(base_backup, server, folder / "again")
            await _found_tenants(settings, tenants)
            before = await asyncio.to_thread(_mistake, server)
            began = time.monotonic()
            _aim(folder / "again" / "data", archive)
            with LocalPostgres.start(folder / "again", timeout=60) as again:
                await until(lambda: asyncio.to_thread(lambda: rows_in(again.url(), RECOVERED) == 1))
                after = rows_in(again.url("saegim"), TENANTS)
                seconds = time.monotonic() - began
            left = rows_in(server.url("saegim"), TENANTS)
    return {
        "moment.tenants_before": float(before),
        "moment.tenants_after_mistake": float(left),
        "moment.tenants_recovered": float(after),
        "moment.seconds": round(seconds, 2),
    }


def _prepare(server: LocalPostgres) -> Settings:
    """Creates databases with the current schema, and their settings."""
    for name in ("saegim", "keyring"):
        ensure_database(server.url(), name)
    app = server.url("saegim", user="saegim_app")
    migrate(server.url("saegim"), app)
    keyring_store.prepare(server.url("keyring"))
    return Settings(
        postgres_url=SecretStr(app),
        keyring_url=SecretStr(server.url("keyring")),
        master_key=SecretStr(format_master_key(new_key())),
        redis_url=SecretStr("redis://127.0.0.1:1"),
    )


async def _found_tenants(settings: Settings, tenants: int) -> None:
    services = build(settings)
    await services.open()
    try:
        for number in range(tenants):
            await services.auth.tenants.create(f"{number}번 상사", "ko", HOME_CELL)
    finally:
        await services.close()


def _mistake(server: LocalPostgres) -> int:
    """Creates a restore point, then deletes every tenant; returns their number."""
    with psycopg.connect(server.url("saegim"), autocommit=True) as connection:
        row = connection.execute(TENANTS).fetchone()
        connection.execute(b"select pg_create_restore_point('before the mistake')")
        connection.execute(b"truncate saegim.tenant cascade")
        connection.execute(b"select pg_switch_wal()")
        file = connection.execute(b"select last_archived_wal from pg_stat_archiver").fetchone()
        end = time.monotonic() + 30
        while time.monotonic() < end:
            now = connection.execute(b"select last_archived_wal from pg_stat_archiver").fetchone()
            if now != file:
                break
            time.sleep(0.1)
    assert row is not None, "a count returns a row"
    return row[0]


def _aim(data: Path, archive: Path) -> None:
    """Writes the recovery settings: where the WAL is, and where to stop."""
    with (data / "postgresql.auto.conf").open("a") as settings:
        settings.write(f"restore_command = 'cp {archive}/%f %p'\n")
        settings.write("recovery_target_name = 'before the mistake'\n")
        settings.write("recovery_target_action = 'promote'\n")
    signal = data / "recovery.signal"
    signal.touch()
    account = find_account()
    os.chown(signal, account.user, account.group)


def clean(figures: dict[str, float]) -> bool:
    lost = figures["standby.lost_turns"] + figures["standby.doubled_turns"]
    before, now = figures["moment.tenants_before"], figures["moment.tenants_recovered"]
    return not lost and figures["moment.tenants_after_mistake"] < before == now
