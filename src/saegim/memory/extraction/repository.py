"""Read the turns that memories are extracted from, and queue their jobs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from saegim.conversations import turn_rows
from saegim.db.cells import Cells, fetch_all
from saegim.domain.errors import NotFound
from saegim.domain.scope import Scope
from saegim.encryption.keyring import Keyring
from saegim.jobs.queue import JobQueue
from saegim.memory import record_rows
from saegim.memory.episode_repository import PostgresEpisodes
from saegim.memory.jobs import consolidate_job, extract_job, index_job, synthesise_job
from saegim.memory.types import Record, TurnWindow

FIRST_ID = UUID(int=0)


@dataclass(frozen=True, eq=False)
class ExtractionSourceStore:
    cells: Cells
    keyring: Keyring
    jobs: JobQueue
    episodes: PostgresEpisodes

    async def window(self, tenant: UUID, turn: UUID, turns: int) -> TurnWindow | None:
        """Return the last `turns` recorded turns up to `turn`; None if it has no text."""
        return await self.episodes.window(tenant, turn, turns)

    async def time_zone(self, scope: Scope) -> str:
        """Return the time zone of a user. Raises NotFound."""
        row = await self.cells.fetch_one(scope.tenant, "find_time_zone", member=scope.user)
        if row is None:
            raise NotFound("member")
        return row["time_zone"]

    async def records_of_turn(self, scope: Scope, turn: UUID) -> tuple[Record, ...]:
        """Return the records that have a turn as a source."""
        values = turn_rows.owner(scope) | {"turns": [turn]}
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
