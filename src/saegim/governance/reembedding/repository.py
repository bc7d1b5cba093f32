"""Moves to another embedder in Postgres."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from psycopg.types.json import Jsonb

from saegim.auth.repository import LIBRARY_INDEX
from saegim.db.cells import Cells, Connection, Row, execute, fetch_all, fetch_one
from saegim.domain.ids import Clock
from saegim.governance.reembedding.types import MissingVectors, Reembed, ReembedState, RetiredIndex
from saegim.governance.reembedding.vector_tables import VectorTable
from saegim.jobs.queue import JobQueue
from saegim.jobs.types import Job, JobKind
from saegim.library.active_index import ActiveIndex
from saegim.library.index_ports import IndexPointer
from saegim.library.jobs import index_lock

SWITCHED: ReembedState = "switched"
GIVEN_UP: ReembedState = "abandoned"
_FROM_THE_START = UUID(int=0)


class PostgresReembeds:
    """`tables` are all that has vectors; embedded one after the other, they switch as one."""

    def __init__(
        self,
        cells: Cells,
        jobs: JobQueue,
        clock: Clock,
        pointing: ActiveIndex,
        tables: Sequence[VectorTable],
    ) -> None:
        self._cells = cells
        self._jobs = jobs
        self._clock = clock
        self._pointing = pointing
        self._tables = {table.kind: table for table in tables}

    @property
    def kinds(self) -> Sequence[str]:
        """What is embedded, by name."""
        return tuple(self._tables)

    async def begin(self, tenant: UUID, embedder: str, dimensions: int) -> Reembed:
        """Starts a move with its job, or finds the one that is under way."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            totals = [await each.total(connection, tenant) for each in self._tables.values()]
            await execute(
                connection,
                "start_reembed",
                tenant=tenant,
                embedder=embedder,
                dimensions=dimensions,
                total=sum(totals),
                now=self._clock.now(),
            )
            await self._defer(connection, tenant)
            row = await fetch_one(connection, "find_reembed", tenant=tenant)
        assert row is not None, "it was just stored"
        return _reembed(row)

    async def find(self, tenant: UUID) -> Reembed | None:
        """The newest move of a tenant."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            row = await fetch_one(connection, "find_reembed", tenant=tenant)
        return None if row is None else _reembed(row)

    async def uses(self, tenant: UUID, embedder: str) -> bool:
        """Whether all of the tenant's indexes are made with an embedder."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            rows = await fetch_all(connection, "index_states", tenant=tenant)
        return all(row["embedder"] == embedder for row in rows)

    async def lacking(self, tenant: UUID, kind: str, move: Reembed, count: int) -> MissingVectors:
        """The next of a kind, after the move's cursor, that have no vector of its embedder."""
        after = move.cursors.get(kind, _FROM_THE_START)
        return await self._tables[kind].lacking(tenant, move.embedder, after, count)

    async def keep(
        self,
        tenant: UUID,
        kind: str,
        move: Reembed,
        vectors: Mapping[UUID, Sequence[float]],
        upto: UUID,
    ) -> None:
        """Stores vectors, and that nothing up to an id lacks one, in one transaction."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            noted = await execute(
                connection,
                "note_reembedded",
                tenant=tenant,
                embedder=move.embedder,
                cursors=Jsonb({kind: str(upto)}),
                count=len(vectors),
            )
            if noted and vectors:
                await self._tables[kind].keep(connection, tenant, move.embedder, vectors)

    async def rewind(self, tenant: UUID) -> None:
        """Moves every cursor back to the start."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            await execute(connection, "rewind_reembed", tenant=tenant)

    async def switch(self, tenant: UUID, move: Reembed, generation: int) -> bool:
        """Lets all that was embedded serve, in one transaction; False if anything lacks a vector.

        What served before is retired, and dropped some time later.
        """
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            states = await fetch_all(connection, "lock_index_states", tenant=tenant)
            for table in self._tables.values():
                if await table.lacks(connection, tenant, move.embedder):
                    return False
            if not await self._end(connection, tenant, move.embedder, SWITCHED):
                return False
            for state in states:
                subject = state["subject"]
                version = generation if subject == LIBRARY_INDEX else state["index_version"] + 1
                pointer = IndexPointer(version, move.embedder, move.dimensions)
                await self._pointing.switch(connection, tenant, subject, pointer)
            await execute(connection, "forget_index_build", tenant=tenant)
        return True

    async def prepare(self, tenant: UUID, move: Reembed) -> None:
        """Clears what an earlier move left behind that would pass for this one's."""
        for table in self._tables.values():
            await table.prepare(tenant, move.embedder)

    async def abandon(self, tenant: UUID) -> int | None:
        """Ends a move without a switch; tells the generation of the index that it was building."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            move = await fetch_one(connection, "find_reembed", tenant=tenant)
            build = await fetch_one(connection, "find_index_build", tenant=tenant)
            if move is None or not await self._end(connection, tenant, move["embedder"], GIVEN_UP):
                return None
            if build is None or build["embedder"] != move["embedder"]:
                return None
            await execute(connection, "forget_index_build", tenant=tenant)
        return int(build["index_version"])

    async def go_on(self, tenant: UUID) -> None:
        """Queues the move's next slice."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            await self._defer(connection, tenant)

    async def retired(self, tenant: UUID) -> Sequence[RetiredIndex]:
        """What was replaced long enough ago to be dropped."""
        cell = await self._cells.for_tenant(tenant)
        before = self._clock.now() - self._pointing.keep
        async with cell.transaction(tenant) as connection:
            rows = await fetch_all(connection, "retired_indexes", tenant=tenant, before=before)
        return [RetiredIndex(row["subject"], row["index_version"], row["embedder"]) for row in rows]

    async def drop(self, tenant: UUID, retired: RetiredIndex) -> None:
        """Removes the vectors that only a retired index needed, and forgets it."""
        for table in self._tables.values():
            if table.subject == retired.subject:
                await table.drop(tenant, retired)
        named = {"subject": retired.subject, "generation": retired.generation}
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            await execute(connection, "forget_retired_index", tenant=tenant, **named)

    async def _defer(self, connection: Connection, tenant: UUID) -> None:
        job = Job(JobKind.REEMBED, tenant, tenant, lock=index_lock(tenant))
        await self._jobs.defer(connection, job)

    async def _end(
        self, connection: Connection, tenant: UUID, embedder: str, state: ReembedState
    ) -> bool:
        values = {"embedder": embedder, "state": state, "now": self._clock.now()}
        return bool(await execute(connection, "end_reembed", tenant=tenant, **values))


def _reembed(row: Row) -> Reembed:
    return Reembed(
        embedder=row["embedder"],
        dimensions=row["dimensions"],
        state=row["state"],
        cursors={kind: UUID(after) for kind, after in row["cursors"].items()},
        embedded=row["embedded"],
        total=row["total"],
    )
