"""Transcripts leave Postgres, with all that quotes them: implements `TranscriptStore` and
`ConversationStore`."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from saegim.adapters.postgres import turn_rows
from saegim.adapters.postgres.cells import Cells, Connection, execute, fetch_all, fetch_one
from saegim.adapters.postgres.jobs import JobQueue
from saegim.domain.errors import NotFound
from saegim.domain.ids import first_id
from saegim.domain.scope import Scope
from saegim.governance.ports import Removed
from saegim.governance.retention import clean_up_job
from saegim.working_memory.types import RECENT_TURNS

ALL_TURNS = 2**31 - 1


class PostgresTranscripts:
    def __init__(self, cells: Cells, jobs: JobQueue) -> None:
        self._cells = cells
        self._jobs = jobs

    async def remove_idle(self, tenant: UUID, before: datetime, most: int) -> Removed:
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            values = {"tenant": tenant, "before": before, "most": most}
            rows = await fetch_all(connection, "expired_sessions", **values)
            sessions = [row["session_id"] for row in rows]
            if not sessions:
                return Removed()
            rows = await fetch_all(
                connection, "turns_of_sessions", tenant=tenant, sessions=sessions
            )
            removed = await _remove_turns(
                connection,
                tenant,
                [row["turn_id"] for row in rows],
                dict.fromkeys(sessions, ALL_TURNS),
            )
            await execute(connection, "drop_sessions", tenant=tenant, sessions=sessions)
        return removed + Removed(sessions=len(sessions))

    async def remove_old(self, tenant: UUID, before: datetime, most: int) -> Removed:
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
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
        cell = await self._cells.for_tenant(scope.tenant)
        async with cell.transaction(scope.tenant) as connection:
            owned = turn_rows.owned(scope)
            rows = await fetch_all(connection, "memories_of_session", **owned, session=session)
            memories = [row["memory_id"] for row in rows]
            return await execute(connection, "drop_digests", **owned, memories=memories)

    async def delete_session(self, scope: Scope, session: UUID) -> int:
        tenant = scope.tenant
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            values = turn_rows.owned(scope) | {"session": session}
            if await fetch_one(connection, "hold_session", **values) is None:
                raise NotFound("session")
            rows = await fetch_all(
                connection, "turns_of_sessions", tenant=tenant, sessions=[session]
            )
            turns = [row["turn_id"] for row in rows]
            removed = await _remove_turns(connection, tenant, turns, {session: ALL_TURNS})
            await execute(connection, "drop_sessions", tenant=tenant, sessions=[session])
        return removed.turns

    async def remove_ingests(self, tenant: UUID, before: datetime, most: int) -> int:
        return await self._drop(tenant, "drop_old_ingests", before, most)

    async def remove_imports(self, tenant: UUID, before: datetime, most: int) -> int:
        return await self._drop(tenant, "drop_old_imports", before, most)

    async def remove_usage(self, tenant: UUID, before: datetime, most: int) -> int:
        return await self._drop(tenant, "drop_old_usage", before, most)

    async def _drop(self, tenant: UUID, name: str, before: datetime, most: int) -> int:
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            return await execute(connection, name, tenant=tenant, before=before, most=most)

    async def clean_again(self, tenant: UUID) -> None:
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            if await fetch_one(connection, "has_sessions", tenant=tenant) is not None:
                await self._jobs.defer_once(connection, clean_up_job(tenant))


async def _remove_turns(
    connection: Connection, tenant: UUID, turns: Sequence[UUID], through: Mapping[UUID, int]
) -> Removed:
    """Removes turns with their traces, and the episodes that quote them."""
    if not turns:
        return Removed()
    await execute(connection, "hold_turns_to_remove", tenant=tenant, turns=list(turns))
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
    for name in ("drop_traces", "drop_extractions", "drop_feedback", "drop_turns"):
        await execute(connection, name, tenant=tenant, turns=list(turns))
    return Removed(turns=len(turns), episodes=len(episodes))
