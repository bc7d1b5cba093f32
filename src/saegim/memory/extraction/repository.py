"""Read the turns that memories are extracted from, and queue their jobs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from saegim.conversations import turn_rows
from saegim.conversations.types import Turn
from saegim.db.cells import Cells, Row, fetch_all, fetch_one
from saegim.domain.errors import NotFound
from saegim.domain.scope import Scope
from saegim.encryption.keyring import Keyring
from saegim.jobs.queue import JobQueue
from saegim.memory import record_rows
from saegim.memory.jobs import consolidate_job, extract_job, index_job, synthesise_job
from saegim.memory.types import Origin, Record

FIRST_ID = UUID(int=0)
MOST_ATTEMPTS = 3
"""After this many failures of the model, a turn waits for a retry by hand."""

# Read turns that are shown for references, and turns that are looked through for unread ones.
_BEFORE, _MOST_TURNS = 4, 30


@dataclass(frozen=True, slots=True)
class UnreadTurns:
    """The turns of a session up to one that memories are not extracted from yet, oldest first, and
    read ones before them.

    `is_newest`: no turn was recorded after them. `again`: the turn failed too often, or only rules
    read it, so it is read by itself if an operator asks for it.
    """

    scope: Scope
    session: UUID
    turns: tuple[Turn, ...]
    before: tuple[Turn, ...] = ()
    is_newest: bool = True
    again: bool = False
    by_rule: bool = False


@dataclass(frozen=True, eq=False)
class ExtractionSourceStore:
    cells: Cells
    keyring: Keyring
    jobs: JobQueue

    async def unread(self, tenant: UUID, turn: UUID) -> UnreadTurns | None:
        """Return the unread turns up to a turn; None if there are none, or it is not in use."""
        async with self.cells.transaction(tenant) as connection:
            last = await fetch_one(connection, "find_settled_turn", tenant=tenant, turn=turn)
            if last is None or not last["in_use"]:
                return None
            values = {"session": last["session_id"], "number": last["number"]}
            rows = await fetch_all(
                connection, "turns_to_extract", tenant=tenant, count=_MOST_TURNS, **values
            )
        if not rows:
            return None
        by_rule = rows[0]["origin"] == Origin.FALLBACK
        again = by_rule or _has_failed(rows[0])
        unread = rows[:1] if again else [row for row in rows if _is_unread(row)]
        if not unread:
            return None
        cipher = await self.keyring.user(tenant, last["member_id"])
        first = unread[-1]["number"]
        before = [row for row in rows if row["number"] < first and row["origin"] != Origin.PERSON]
        turns = tuple(turn_rows.read(row, cipher) for row in reversed(unread))
        return UnreadTurns(
            turns[-1].scope,
            turns[-1].session,
            turns,
            tuple(turn_rows.read(row, cipher) for row in reversed(before[:_BEFORE])),
            not rows[0]["has_newer"],
            again,
            by_rule,
        )

    async def read_later(self, turn: Turn, seconds: float) -> None:
        """Queue the extraction of a turn for later."""
        async with self.cells.transaction(turn.scope.tenant) as connection:
            job = extract_job(turn.scope.tenant, turn.scope.user, turn.id, seconds)
            await self.jobs.defer(connection, job)

    async def time_zone(self, scope: Scope) -> str:
        """Return the time zone of a user. Raises NotFound."""
        row = await self.cells.fetch_one(scope.tenant, "find_time_zone", member=scope.user)
        if row is None:
            raise NotFound("member")
        return row["time_zone"]

    async def records_of(self, scope: Scope, turns: Sequence[UUID]) -> tuple[Record, ...]:
        """Return the records that have one of the turns as a source."""
        values = turn_rows.owner(scope) | {"turns": list(turns)}
        rows = await self.cells.fetch_all(scope.tenant, "memories_of_turns", **values)
        cipher = await self.keyring.user(scope.tenant, scope.user)
        return tuple(record_rows.read(row, cipher) for row in rows)

    async def said_in(self, scope: Scope, session: UUID, sources: Sequence[UUID]) -> bool:
        """Return whether one of these turns belongs to a session."""
        turns = list(sources)
        rows = await self.cells.fetch_all(scope.tenant, "sessions_of_turns", turns=turns)
        return any(row["session_id"] == session for row in rows)

    async def before(self, scope: Scope, turn: UUID) -> UUID | None:
        """Return the recorded turn before a turn of the same session."""
        values = turn_rows.owner(scope) | {"turn": turn}
        row = await self.cells.fetch_one(scope.tenant, "find_turn_before", **values)
        return row["turn_id"] if row else None

    async def message(self, scope: Scope, turn: UUID) -> str:
        """Return the message of a recorded turn without redacted words; "" if there is none."""
        row = await self.cells.fetch_one(scope.tenant, "find_settled_turn", turn=turn)
        cipher = await self.keyring.user(scope.tenant, scope.user)
        return turn_rows.read(row, cipher).exchange().message if row else ""

    async def state(self, scope: Scope, turn: UUID) -> tuple[str | None, str | None] | None:
        """Return origin and error of the extraction of a turn; None if there is none yet."""
        row = await self.cells.fetch_one(scope.tenant, "find_extraction", turn=turn)
        return (row["origin"], row["error"]) if row else None

    async def extracted_at(self, turn: UUID, scope: Scope) -> datetime | None:
        """Return when a turn was extracted last."""
        row = await self.cells.fetch_one(scope.tenant, "find_extraction", turn=turn)
        return row["at"] if row else None

    async def leave_out(self, rows: turn_rows.OwnedRows, turn: UUID) -> bool:
        """Exclude a turn from extraction, and delete the episodes with it.

        Those that end with another turn are indexed again without it. False if there is no turn.
        """
        if not await rows.run("leave_turn_out", turn=turn, now=self.jobs.due_in(0)):
            return False
        around = await rows.all("episodes_around", turns=[turn])
        episodes = [row["episode_id"] for row in around]
        for name in ("drop_episode_vectors", "drop_episodes"):
            await rows.run(name, episodes=episodes)
        others = [row for row in around if row["turn_id"] != turn]
        tenant = rows.scope.tenant
        jobs = [index_job(tenant, row["session_id"], row["turn_id"]) for row in others]
        await self.jobs.defer_all(rows.connection, jobs)
        return True

    async def read_again(self, rows: turn_rows.OwnedRows, turn: UUID) -> bool:
        """Include an excluded turn again; return whether there was one."""
        if not await rows.run("include_turn_again", turn=turn):
            return False
        tenant, user = rows.scope.tenant, rows.scope.user
        sessions = await rows.all("sessions_of_turns", turns=[turn])
        jobs = [index_job(tenant, row["session_id"], turn) for row in sessions]
        await self.jobs.defer_all(rows.connection, [*jobs, extract_job(tenant, user, turn)])
        return True

    async def read_by_fallback(self, tenant: UUID, after: UUID | None, count: int) -> list[UUID]:
        """List turns extracted by the fallback, after an id."""
        values = {"after": after or FIRST_ID, "count": count}
        rows = await self.cells.fetch_all(tenant, "turns_of_fallback", **values)
        return [row["turn_id"] for row in rows]

    async def queue(self, tenant: UUID, turns: Sequence[UUID]) -> int:
        """Queue the extraction of turns; return the number of existing ones."""
        async with self.cells.transaction(tenant) as connection:
            rows = await fetch_all(connection, "owners_of_turns", tenant=tenant, turns=list(turns))
            for row in sorted(rows, key=lambda row: row["turn_id"]):
                job = extract_job(tenant, row["member_id"], row["turn_id"])
                await self.jobs.defer(connection, job)
        return len(rows)

    async def look_after(self, scope: Scope) -> None:
        """Queue the next consolidation of a profile, unless it is queued."""
        async with self.cells.transaction(scope.tenant) as connection:
            await self.jobs.defer_once(connection, consolidate_job(scope.tenant, scope.profile))

    async def synthesise(self, scope: Scope) -> None:
        """Queue a synthesis of a profile, unless one is queued."""
        async with self.cells.transaction(scope.tenant) as connection:
            await self.jobs.defer_once(connection, synthesise_job(scope.tenant, scope.profile))

    async def owner(self, tenant: UUID, profile: UUID) -> Scope | None:
        row = await self.cells.fetch_one(tenant, "find_profile_owner", profile=profile)
        return None if row is None else Scope(tenant, row["member_id"], profile)


def _has_failed(row: Row) -> bool:
    return row["extraction_error"] is not None and row["extraction_attempts"] >= MOST_ATTEMPTS


def _is_unread(row: Row) -> bool:
    return row["origin"] is None and not _has_failed(row)
