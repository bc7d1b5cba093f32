"""Cells share nothing: a tenant lives in one of them, and another one's end does not touch it."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import psycopg
import pytest
from redis.asyncio import Redis

from benchmarks.doubles.patience import PATIENT_CELL
from saegim.db.cells import HOME_CELL, Cell, Cells, execute
from saegim.domain.errors import StoreUnavailable
from tests.integration.db.conftest import OtherCell
from tests.stack import Databases, Stack

TURNS = b"select count(*) from saegim.turn where tenant_id = %s"
# One of the pool; those of earlier tests end soon.
SESSIONS = b"select state from pg_stat_activity where datname = 'saegim'"
WORK = b"""
select xact_commit + xact_rollback + tup_inserted + tup_returned from pg_stat_database
where datname = 'saegim'
"""


def count(url: str, query: bytes, *values: object) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute(query, values).fetchone()
    assert row is not None
    return row[0]


async def keys_of(url: str) -> list[str]:
    async with Redis.from_url(url) as client:
        return [str(key) for key in await client.keys("*")]


async def in_b(town: Stack, name: str = "B의 상사") -> Stack:
    """A tenant of cell `b`, by the same API."""
    return replace(town, tenant=await town.services.auth.tenants.create(name, "ko", "b"))


async def test_a_tenant_lives_in_its_cell_alone(
    town: Stack, databases: Databases, other: OtherCell
) -> None:
    guest = await in_b(town)

    await guest.say("B에 사는 사람입니다")
    await town.say("A에 사는 사람입니다")

    there, here = guest.tenant.tenant.id, town.tenant.tenant.id
    assert count(other.admin_url, TURNS, there) == 1
    assert count(databases.admin_url, TURNS, there) == 0
    assert count(databases.admin_url, TURNS, here) == 1
    assert count(other.admin_url, TURNS, here) == 0


async def test_a_tenants_working_memory_is_in_its_cells_redis(
    town: Stack, other: OtherCell
) -> None:
    guest = await in_b(town)
    mark = str(guest.tenant.tenant.id)

    await guest.say("B의 Redis에 남는 말", **{"Saegim-Session": "s"})
    await town.say("A의 Redis에 남는 말", **{"Saegim-Session": "s"})

    there = await keys_of(other.valkey.url)
    here = await keys_of(town.databases.servers.valkey.url)
    assert any(mark in key for key in there)
    assert not any(mark in key for key in here)
    assert not any(str(town.tenant.tenant.id) in key for key in there)


async def test_a_tenant_of_one_cell_sends_nothing_to_another(town: Stack, other: OtherCell) -> None:
    await town.say("미리 한마디")
    watching = psycopg.connect(other.postgres.url("postgres"), autocommit=True)
    with watching:
        async with asyncio.timeout(120):
            while watching.execute(SESSIONS).fetchall() != [("idle",)]:
                await asyncio.sleep(0.05)
        watching.execute(b"select pg_stat_force_next_flush()")
        row = watching.execute(WORK).fetchone()
        for number in range(5):
            await town.say(f"{number}번째 이야기")
        locks = watching.execute(b"select count(*) from pg_locks where locktype = 'advisory'")
        assert locks.fetchone() == (0,)
        assert watching.execute(WORK).fetchone() == row


async def test_the_end_of_one_cell_changes_nothing_for_tenants_of_another(
    town: Stack, other: OtherCell
) -> None:
    guest = await in_b(town)
    await guest.say("아직은 됩니다")
    other.kill()
    try:
        for number in range(3):
            reply = await town.say(f"B 없이 {number}")
            assert (reply["state"], reply["degraded"]) == ("done", [])
        refused = await guest.http.post(
            "/v1/chat", json={"message": "들려요?"}, headers=guest.headers()
        )
        assert refused.status_code == 503
        assert refused.headers["Retry-After"]
    finally:
        other.start()
    assert (await guest.say("다시 됩니다"))["state"] == "done"


class LateClock:
    """A clock that can be put forward."""

    def __init__(self) -> None:
        self.late = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.late


async def test_the_directory_may_be_away_for_tenants_that_are_known(
    databases: Databases, other: OtherCell
) -> None:
    """The cached cell of a tenant is used while the directory is down."""
    clock, tenant = LateClock(), uuid4()
    home = Cell(HOME_CELL, other.app_url, PATIENT_CELL)
    away = Cell("b", databases.app_url, PATIENT_CELL)
    cells = Cells({HOME_CELL: home, "b": away}, clock)
    await cells.open()
    try:
        async with home.transaction(tenant) as connection:
            values = {"tenant": tenant, "cell": "b", "now": clock.now()}
            await execute(connection, "set_cell", **values)
        assert (await cells.for_tenant(tenant)).name == "b"
        other.kill()
        try:
            clock.late = timedelta(minutes=5)
            assert (await cells.for_tenant(tenant)).name == "b"
            with pytest.raises(StoreUnavailable):
                await cells.for_tenant(uuid4())
        finally:
            other.start()
    finally:
        await cells.close()
