"""Transcripts that expired leave the record with all that quotes them, and are counted."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from benchmarks.doubles.models import ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.conversations.transcripts import PostgresTranscripts, RemovedCounts
from saegim.governance.memory_expiry import PostgresExpiry, RetentionPeriods
from saegim.governance.retention import Retention
from saegim.jobs.queue import EVERY_SECONDS
from saegim.jobs.types import JobKind
from saegim.llm.ports import ModelRole
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("WM8")

MONTH = timedelta(days=30)


@dataclass
class Calendar:
    """A clock that moves only on request."""

    at: datetime = datetime(2026, 11, 15, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


@pytest.fixture
async def stack(databases: Databases, calendar: Calendar) -> AsyncIterator[Stack]:
    models = ScriptedModels({ModelRole.LITE: lambda _: "네, 알겠습니다."})
    async with new_stack(databases, Fakes(models=models, clock=calendar)) as running:
        yield running


def retention(stack: Stack, keep: timedelta | None = MONTH) -> Retention:
    services = stack.services
    memories = PostgresExpiry(services.db.cells, services.memory.records, services.clock)
    return Retention(
        search=stack.services.conversations.search,
        store=PostgresTranscripts(services.db.cells, services.jobs.queue),
        memories=memories,
        ingests=services.library.ingest_repository,
        originals=services.library.originals,
        imports=services.memory.import_repository,
        usage=services.usage,
        clock=services.clock,
        keep=RetentionPeriods(transcripts=keep),
    )


async def talk(stack: Stack, session: str, turns: int, user: str = "alice") -> str:
    """Creates turns with their episodes and summaries; returns the session's id."""
    tenant, found = stack.tenant.tenant.id, ""
    for number in range(turns):
        reply = await stack.say(f"{session} 이야기 {number}", user, **{"Saegim-Session": session})
        await stack.services.memory.episodes.index(tenant, UUID(reply["turn_id"]))
        found = reply["session_id"]
    await stack.services.conversations.summaries.summarise(tenant, UUID(found))
    return found


async def clean(stack: Stack, keep: timedelta | None = MONTH) -> RemovedCounts:
    return await retention(stack, keep).clean_up(stack.tenant.tenant.id, stack.tenant.tenant.id)


async def rows(stack: Stack, statement: str) -> list[dict[str, Any]]:
    cell = stack.services.db.cells.home
    async with cell.transaction(stack.tenant.tenant.id) as connection:
        return await (await connection.execute(statement.encode())).fetchall()


async def counts(stack: Stack) -> dict[str, int]:
    tables = ("session", "turn", "turn_trace", "session_summary", "episode", "episode_vector")
    found = {table: await rows(stack, f"select count(*) from {table}") for table in tables}
    return {table: result[0]["count"] for table, result in found.items()}


async def test_sessions_that_nobody_used_go_whole(stack: Stack, calendar: Calendar) -> None:
    await talk(stack, "old", 8)
    calendar.at += timedelta(days=20)
    kept = await talk(stack, "new", 7, "bob")
    calendar.at += timedelta(days=20)

    assert await clean(stack) == RemovedCounts(sessions=1, turns=8, episodes=8)
    assert await counts(stack) == {
        "session": 1,
        "turn": 7,
        "turn_trace": 7,
        "session_summary": 1,
        "episode": 7,
        "episode_vector": 7,
    }
    assert (await stack.context(kept, "bob"))["completed_turns"] == 7
    assert await clean(stack) == RemovedCounts()


async def test_old_turns_of_a_session_that_goes_on_leave_when_working_memory_lets_them_go(
    stack: Stack, calendar: Calendar
) -> None:
    await talk(stack, "long", 12)
    calendar.at += timedelta(days=40)
    session = await talk(stack, "long", 1)
    before = await stack.context(session)

    # Ten are folded; 9 to 13 are still in the context. Episodes of 9 and 10 quote 7 and 8 too.
    assert await clean(stack) == RemovedCounts(turns=8, episodes=10)
    numbers = await rows(stack, "select number from turn order by number")
    assert [row["number"] for row in numbers] == [9, 10, 11, 12, 13]
    assert await stack.context(session) == before
    left = await rows(stack, "select first_turn, last_turn from episode order by last_turn")
    assert [(row["first_turn"], row["last_turn"]) for row in left] == [
        (9, 11),
        (10, 12),
        (11, 13),
    ]


async def test_terms_of_what_is_gone_are_counted_no_more(stack: Stack, calendar: Calendar) -> None:
    await talk(stack, "old", 6)
    calendar.at += timedelta(days=40)
    await talk(stack, "new", 3)
    await clean(stack)

    counted = await rows(stack, "select term, episodes from term_count where episodes <> 0")
    vectors = await rows(stack, "select terms::text from episode_vector")
    standing = {0: len(vectors)}
    for row in vectors:
        for pair in row["terms"].partition("}")[0].strip("{").split(","):
            term = int(pair.partition(":")[0])
            standing[term] = standing.get(term, 0) + 1
    assert {row["term"]: row["episodes"] for row in counted} == standing


async def test_without_a_limit_everything_is_kept(stack: Stack, calendar: Calendar) -> None:
    await talk(stack, "old", 3)
    calendar.at += timedelta(days=9_000)
    assert await clean(stack, None) == RemovedCounts()
    assert (await counts(stack))["turn"] == 3


async def test_a_tenants_clean_up_touches_no_other_tenant(
    databases: Databases, stack: Stack, calendar: Calendar
) -> None:
    async with new_stack(databases, Fakes(clock=calendar), name="이웃") as other:
        await talk(other, "old", 2)
        await talk(stack, "old", 2)
        calendar.at += timedelta(days=40)
        assert await clean(stack) == RemovedCounts(sessions=1, turns=2, episodes=2)
        assert (await counts(other))["turn"] == 2


async def waiting(stack: Stack) -> list[dict[str, Any]]:
    async with stack.services.db.cells.home.connection() as connection:
        cursor = await connection.execute(
            b"select scheduled_at, lock from procrastinate_jobs"
            b" where task_name = %s and args ->> 'tenant' = %s and status = 'todo'",
            (JobKind.CLEAN_UP.value, str(stack.tenant.tenant.id)),
        )
        return await cursor.fetchall()


async def test_it_begins_with_the_first_session_and_queues_its_successor(
    stack: Stack, calendar: Calendar
) -> None:
    assert await waiting(stack) == []
    await talk(stack, "one", 1)
    await talk(stack, "two", 1)
    [job] = await waiting(stack)
    assert job["scheduled_at"] == calendar.at + timedelta(seconds=EVERY_SECONDS)

    # A worker takes it: then none waits until it is done.
    async with stack.services.db.cells.home.connection() as connection:
        await connection.execute(
            b"delete from procrastinate_jobs where task_name = %s", (JobKind.CLEAN_UP.value,)
        )
    calendar.at += timedelta(days=1)
    await clean(stack)
    await clean(stack)
    [job] = await waiting(stack)
    assert job["scheduled_at"] == calendar.at + timedelta(seconds=EVERY_SECONDS)


async def test_a_tenant_without_conversations_needs_none(stack: Stack) -> None:
    await clean(stack)
    assert await waiting(stack) == []


async def test_the_setting_decides_how_long(databases: Databases) -> None:
    settings = databases.settings()
    assert settings.transcript_retention_days is None
    async with new_stack(databases, settings={"transcript_retention_days": 7}) as stack:
        assert stack.services.governance.retention.keep.transcripts == timedelta(days=7)
