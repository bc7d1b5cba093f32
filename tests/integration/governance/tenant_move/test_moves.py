"""A tenant moves between cells while it is in use: nothing is lost, and there is a way back."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from saegim.app.container import build
from saegim.app.infrastructure import Fakes
from saegim.cli.operators import tenant_files
from saegim.db.pool import CellLimits
from saegim.db.tables import owner, tenant_tables
from saegim.domain.errors import Conflict, NotFound, StoreUnavailable
from saegim.governance.tenant_move.copier import WRITE_LOCK
from tests.integration.db.conftest import OtherCell
from tests.stack import Databases, Stack, new_stack, patient

pytestmark = pytest.mark.requirement("OP5")

SHARED_WRITE_LOCK = WRITE_LOCK.replace(b"pg_advisory_lock", b"pg_advisory_lock_shared")


async def rows_of(url: str, tenant: UUID) -> dict[str, int]:
    """Returns the number of a tenant's rows in each table."""
    found: dict[str, int] = {}
    async with owner(url) as connection:
        for table in await tenant_tables(connection, but=("tenant_directory", "tenant_move")):
            cursor = await connection.execute(
                f"select count(*) as count from saegim.{table.name} where tenant_id = %s".encode(),
                (tenant,),
            )
            row = await cursor.fetchone()
            assert row is not None
            found[table.name] = row["count"]
    return {name: count for name, count in found.items() if count}


async def jobs_of(url: str, tenant: UUID) -> int:
    async with owner(url) as connection:
        cursor = await connection.execute(
            b"select count(*) as count from procrastinate_jobs where args ->> 'tenant' = %s",
            (str(tenant),),
        )
        row = await cursor.fetchone()
    assert row is not None
    return row["count"]


class Talker:
    """A client that keeps chatting and records what was acknowledged."""

    def __init__(self, town: Stack, user: str) -> None:
        self._town = town
        self._user = user
        self.said: list[str] = []
        self.refused = 0
        self.session = ""
        self._over = False

    async def run(self) -> None:
        number = 0
        while not self._over:
            number += 1
            message = f"{self._user}의 {number}번째 말"
            response = await self._town.http.post(
                "/v1/chat",
                json={"message": message},
                headers=self._town.headers(
                    self._user, **{"Saegim-Session": "s", "Idempotency-Key": str(number)}
                ),
            )
            if response.status_code == 503:
                assert response.headers["Retry-After"]
                self.refused += 1
                number -= 1
                await asyncio.sleep(0.05)
                continue
            assert response.status_code == 200, response.text
            self.session = response.json()["session_id"]
            self.said.append(message)

    async def heard(self) -> list[str]:
        """Returns the stored conversation."""
        found: list[str] = []
        after: int | None = 0
        while after is not None:
            response = await self._town.http.get(
                f"/v1/sessions/{self.session}/turns",
                params={"after": after},
                headers=self._town.headers(self._user),
            )
            page = response.json()
            found += [turn["message"] for turn in page["turns"]]
            after = page["next_after"]
        return found

    def end(self) -> None:
        self._over = True


@contextlib.asynccontextmanager
async def talking(town: Stack, *users: str) -> AsyncIterator[list[Talker]]:
    talkers = [Talker(town, user) for user in users]
    async with asyncio.TaskGroup() as together:
        for talker in talkers:
            together.create_task(talker.run())
        yield talkers
        for talker in talkers:
            talker.end()


async def say_more(talkers: list[Talker], messages: int) -> None:
    """Waits until everybody has said so many more messages."""
    wanted = [len(talker.said) + messages for talker in talkers]

    async def said() -> bool:
        return all(len(talker.said) >= count for talker, count in zip(talkers, wanted, strict=True))

    await until(said)


async def cut_off(town: Stack, other: OtherCell, over: Callable[[dict[str, int]], bool]) -> None:
    """A move to `b` that is cut off when enough is over there, and nothing but that happened."""
    tenant = town.tenant.tenant.id
    async with owner(town.databases.admin_url) as writer:
        # A write that goes on: the move cannot switch before it is cut off.
        await writer.execute(SHARED_WRITE_LOCK, (str(tenant),))
        cut = asyncio.create_task(town.services.moves().move(tenant, "b"))

        async def enough() -> bool:
            return cut.done() or over(await rows_of(other.admin_url, tenant))

        await until(enough)
        assert over(await rows_of(other.admin_url, tenant))
        cut.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            try:
                await cut
            except Conflict as error:
                if "too busy" not in str(error):
                    raise


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(180):
        while not await holds():
            await asyncio.sleep(0.02)


async def test_a_tenant_moves_while_it_talks_and_back_and_for_good(
    town: Stack, databases: Databases, other: OtherCell
) -> None:
    tenant, moves = town.tenant.tenant.id, town.services.moves()
    memory = await town.http.post(
        "/v1/memories", json={"content": "고양이를 키운다"}, headers=town.headers()
    )
    assert memory.status_code == 201

    async with talking(town, "alice", "bob") as talkers:
        await say_more(talkers, 8)
        moved = await moves.move(tenant, "b")
        assert 0 < moved.paused_seconds < 60
        await say_more(talkers, 1)
        assert (await rows_of(other.admin_url, tenant))["turn"] > 0
        back = await moves.move(tenant, "main")
        assert back.rows < moved.rows, "only what is new goes back"
        await say_more(talkers, 1)
        await moves.move(tenant, "b")
        await say_more(talkers, 1)

    for talker in talkers:
        assert await talker.heard() == talker.said
        assert len(talker.said) > 3
    with pytest.raises(Conflict):
        await moves.move(tenant, "b")
    removed = await moves.confirm(tenant)
    assert removed > 0
    assert await rows_of(databases.admin_url, tenant) == {}
    assert await jobs_of(databases.admin_url, tenant) == 0
    assert await jobs_of(other.admin_url, tenant) > 0
    assert [await talker.heard() for talker in talkers] == [talker.said for talker in talkers]
    with pytest.raises(Conflict):
        await moves.confirm(tenant)


async def test_a_move_that_was_cut_off_goes_on(
    town: Stack, databases: Databases, other: OtherCell
) -> None:
    tenant, moves = town.tenant.tenant.id, town.services.moves()
    for number in range(5):
        await town.say(f"{number}번째 말", **{"Saegim-Session": "s"})
    await cut_off(town, other, lambda there: len(there) > 2)
    assert (await town.services.db.cells.for_tenant(tenant)).name == "main"
    said = await town.say("끊긴 뒤의 말", **{"Saegim-Session": "s"})
    with pytest.raises(NotFound):
        await moves.move(tenant, "nowhere")

    await moves.move(tenant, "b")

    here, there = await rows_of(databases.admin_url, tenant), await rows_of(other.admin_url, tenant)
    assert here == there
    again = await town.http.get(f"/v1/turns/{said['turn_id']}", headers=town.headers())
    assert again.status_code in (200, 503)
    again = await town.http.get(f"/v1/turns/{said['turn_id']}", headers=town.headers())
    assert again.json()["message"] == "끊긴 뒤의 말"


async def test_what_is_deleted_during_a_move_does_not_come_back(
    town: Stack, other: OtherCell
) -> None:
    tenant, moves = town.tenant.tenant.id, town.services.moves()
    gone = await town.say("지울 말", **{"Saegim-Session": "gone"})
    await town.say("남을 말", **{"Saegim-Session": "kept"})
    await cut_off(town, other, lambda there: "turn_trace" in there)
    assert (await town.services.db.cells.home.place_of(tenant)) == "main"
    statuses: list[int] = []

    async def removed() -> bool:
        path = f"/v1/sessions/{gone['session_id']}"
        statuses.append((await town.http.delete(path, headers=town.headers())).status_code)
        return statuses[-1] != 503

    # Cut off while nobody may write, the server needs a moment to let go.
    await until(removed)
    assert statuses[-1] == 200
    await moves.move(tenant, "b")

    assert (await rows_of(other.admin_url, tenant))["turn"] == 1


async def test_a_move_that_never_switched_can_be_given_up(town: Stack, other: OtherCell) -> None:
    tenant, moves = town.tenant.tenant.id, town.services.moves()
    await town.say("옮기려다 만 말")
    await cut_off(town, other, lambda there: len(there) > 2)

    await moves.move(tenant, "main")

    assert await rows_of(other.admin_url, tenant) == {}
    assert (await town.say("그대로 있는 말"))["state"] == "done"
    assert (await moves.move(tenant, "b")).rows > 0


async def test_writing_waits_while_a_tenant_is_switched(town: Stack, databases: Databases) -> None:
    await town.say("먼저 한마디")
    impatient = new_stack(databases, Fakes(cell_limits=CellLimits()), tenant=town.tenant)
    with psycopg.connect(databases.admin_url, autocommit=True) as alone:
        alone.execute(WRITE_LOCK, (str(town.tenant.tenant.id),))
        async with impatient as there:
            refused = await there.http.post(
                "/v1/chat", json={"message": "지금은?"}, headers=there.headers()
            )
    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) >= 1
    assert (await town.say("이제는 됩니다"))["state"] == "done"


class StandingClock:
    """Time does not pass: what was looked up stays known."""

    def __init__(self) -> None:
        self._time = datetime.now(UTC)

    def now(self) -> datetime:
        return self._time


async def test_a_process_that_remembers_the_old_cell_is_put_right(
    town: Stack, databases: Databases, other: OtherCell
) -> None:
    tenant = town.tenant.tenant.id
    stale = build(
        databases.settings().model_copy(update={"cells": {"b": other.place()}}),
        patient(Fakes(clock=StandingClock())),
    )
    await stale.open()
    try:
        await stale.auth.tenants.assistants(tenant)
        await town.services.moves().move(tenant, "b")
        with pytest.raises(StoreUnavailable):
            await stale.auth.tenants.assistants(tenant)
        assert await stale.auth.tenants.assistants(tenant)
        assert (await stale.db.cells.for_tenant(tenant)).name == "b"
    finally:
        await stale.close()


async def test_a_tenants_file_is_imported_into_another_cell(
    town: Stack, other: OtherCell, tmp_path: Path
) -> None:
    await town.say("고양이 이름은 나비야")
    headers = town.headers("leaver")
    planned = await town.http.post("/v1/erasures", json={"me": True}, headers=headers)
    assert planned.json()["state"] == "planned", planned.text
    services, tenant, file = town.services, town.tenant.tenant.id, tmp_path / "tenant.saegim"
    await tenant_files.export(services, tenant, file, "correct horse battery staple")
    made = await tenant_files.bring_in(
        services, file, "correct horse battery staple", "b", new_id=True
    )
    here = await rows_of(town.databases.admin_url, tenant)
    there = await rows_of(other.admin_url, made)
    alice = (await town.caller("alice")).scope.user

    assert await services.db.cells.name_for_tenant(made) == "b"
    assert {name: here[name] for name in ("turn", "member", "erasure")} == {
        name: there[name] for name in ("turn", "member", "erasure")
    }
    ours = await services.encryption.keyring.user(tenant, alice)
    theirs = await services.encryption.keyring.user(made, alice)
    assert ours.derive("lookup") == theirs.derive("lookup")
    with psycopg.connect(other.admin_url) as admin:
        waiting = admin.execute(
            "select task_name from saegim.procrastinate_jobs "
            "where args->>'tenant' = %s and args->>'subject' = %s",
            [str(made), planned.json()["erasure_id"]],
        ).fetchall()
    assert waiting == [("erase",)], "the erasure goes on there"
