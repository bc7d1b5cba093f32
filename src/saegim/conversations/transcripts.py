"""Delete sessions and turns with everything derived from them."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime, timedelta
from uuid import UUID

from saegim.conversations import turn_rows
from saegim.conversations.types import RECENT_TURNS
from saegim.db.cells import Cells, Connection, execute, fetch_all, fetch_one
from saegim.domain.errors import NotFound
from saegim.domain.ids import first_id
from saegim.domain.scope import Scope
from saegim.jobs.queue import JobQueue, clean_up_job


@dataclass(frozen=True, slots=True)
class RemovedCounts:
    sessions: int = 0
    turns: int = 0
    episodes: int = 0
    memories: int = 0

    def __add__(self, other: "RemovedCounts") -> "RemovedCounts":
        pairs = zip(astuple(self), astuple(other), strict=True)
        return RemovedCounts(*(one + another for one, another in pairs))

    def __bool__(self) -> bool:
        return self != RemovedCounts()


ALL_TURNS = 2**31 - 1
UNDO = timedelta(minutes=5)
"""How long a hidden session can be restored."""


class PostgresTranscripts:
    def __init__(self, cells: Cells, jobs: JobQueue) -> None:
        self._cells = cells
        self._jobs = jobs

    async def remove_idle(self, tenant: UUID, before: datetime, most: int) -> RemovedCounts:
        """Delete at most `most` sessions that were last used before a time."""
        return await self._remove("expired_sessions", tenant, before, most)

    async def remove_hidden(self, tenant: UUID, before: datetime, most: int) -> RemovedCounts:
        """Delete at most `most` sessions that were hidden before a time."""
        return await self._remove("hidden_sessions", tenant, before, most)

    async def _remove(self, query: str, tenant: UUID, before: datetime, most: int) -> RemovedCounts:
        async with self._cells.transaction(tenant) as connection:
            values = {"tenant": tenant, "before": before, "most": most}
            rows = await fetch_all(connection, query, **values)
            sessions = [row["session_id"] for row in rows]
            if not sessions:
                return RemovedCounts()
            return await _remove_sessions(connection, tenant, sessions)

    async def remove_old(self, tenant: UUID, before: datetime, most: int) -> RemovedCounts:
        """Delete turns older than a time; those in working memory are kept."""
        async with self._cells.transaction(tenant) as connection:
            rows = await fetch_all(
                connection,
                "expired_turns",
                tenant=tenant,
                before=first_id(before),
                recent=RECENT_TURNS,
                most=most,
            )
            through: dict[UUID, int] = {}
            for row in rows:
                session = row["session_id"]
                through[session] = max(through.get(session, 0), row["number"])
            return await _remove_turns(
                connection, tenant, [row["turn_id"] for row in rows], through
            )

    async def drop_digests(self, scope: Scope, session: UUID) -> int:
        """Delete the digests of records that come from the session alone."""
        async with self._cells.transaction(scope.tenant) as connection:
            owned = turn_rows.owned(scope)
            rows = await fetch_all(connection, "memories_of_session", **owned, session=session)
            memories = [row["memory_id"] for row in rows]
            return await execute(connection, "drop_digests", **owned, memories=memories)

    async def delete_session(self, scope: Scope, session: UUID) -> int:
        """Delete a session with its turns, traces, episodes and summary; return the turn count.

        Raises NotFound.
        """
        tenant = scope.tenant
        async with self._cells.transaction(tenant) as connection:
            values = turn_rows.owned(scope) | {"session": session}
            if await fetch_one(connection, "lock_session", **values) is None:
                raise NotFound("session")
            return (await _remove_sessions(connection, tenant, [session])).turns

    async def clean_again(self, tenant: UUID) -> None:
        """Queue the next clean-up of the tenant if it has conversations or ingests."""
        async with self._cells.transaction(tenant) as connection:
            if await fetch_one(connection, "has_sessions", tenant=tenant) is not None:
                await self._jobs.defer_once(connection, clean_up_job(tenant))


async def _remove_sessions(
    connection: Connection, tenant: UUID, sessions: Sequence[UUID]
) -> RemovedCounts:
    values = {"tenant": tenant, "sessions": list(sessions)}
    turns = [row["turn_id"] for row in await fetch_all(connection, "turns_of_sessions", **values)]
    through = dict.fromkeys(sessions, ALL_TURNS)
    removed = await _remove_turns(connection, tenant, turns, through)
    await execute(connection, "drop_sessions", **values)
    return removed + RemovedCounts(sessions=len(sessions))


async def _remove_turns(
    connection: Connection, tenant: UUID, turns: Sequence[UUID], through: Mapping[UUID, int]
) -> RemovedCounts:
    """Delete turns with their traces, and the episodes that quote them."""
    if not turns:
        return RemovedCounts()
    await execute(connection, "lock_turns_to_remove", tenant=tenant, turns=list(turns))
    rows = await fetch_all(
        connection,
        "episodes_of_turns",
        tenant=tenant,
        sessions=list(through),
        numbers=list(through.values()),
    )
    episodes = [row["episode_id"] for row in rows]
    for name in ("drop_episode_vectors", "drop_episodes"):
        await execute(connection, name, tenant=tenant, episodes=episodes)
    dropped = (
        "drop_traces", "drop_extractions", "drop_feedback", "drop_turn_terms", "drop_turns",
    )  # fmt: skip
    for name in dropped:
        await execute(connection, name, tenant=tenant, turns=list(turns))
    return RemovedCounts(turns=len(turns), episodes=len(episodes))
