"""Re-embeddings in Postgres."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from psycopg.types.json import Jsonb

from saegim.auth.repository import LIBRARY_INDEX
from saegim.db.cells import Cells, Connection, Row, execute, fetch_all, fetch_one, from_row
from saegim.domain.ids import Clock
from saegim.governance.reembedding.types import MissingVectors, Reembed, ReembedState, RetiredIndex
from saegim.governance.reembedding.vector_tables import FIRST_ID, VectorTable
from saegim.jobs.queue import JobQueue
from saegim.jobs.types import Job, JobKind
from saegim.library.active_index import ActiveIndex
from saegim.library.index_ports import IndexPointer
from saegim.library.jobs import index_lock

SWITCHED: ReembedState = "switched"
ABANDONED: ReembedState = "abandoned"


class PostgresReembeds:
    """`tables` are embedded one after the other and switch together."""

    def __init__(
        self,
        cells: Cells,
        jobs: JobQueue,
        clock: Clock,
        active_index: ActiveIndex,
        tables: Sequence[VectorTable],
    ) -> None:
        self._cells = cells
        self._jobs = jobs
        self._clock = clock
        self._active_index = active_index
        self._tables = {table.kind: table for table in tables}

    @property
    def kinds(self) -> Sequence[str]:
        return tuple(self._tables)

    async def begin(self, tenant: UUID, embedder: str, dimensions: int) -> Reembed:
        """Start a move with its job, or return the running one."""
        async with self._cells.transaction(tenant) as connection:
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
        row = await self._cells.read_one(tenant, "find_reembed")
        return None if row is None else _reembed(row)

    async def uses(self, tenant: UUID, embedder: str) -> bool:
        """Whether all of the tenant's indexes use an embedder."""
        rows = await self._cells.read(tenant, "index_states")
        return all(row["embedder"] == embedder for row in rows)

    async def lacking(self, tenant: UUID, kind: str, move: Reembed, count: int) -> MissingVectors:
        """Return the next rows of a kind, after the move's cursor, without a vector."""
        after = move.cursors.get(kind, FIRST_ID)
        return await self._tables[kind].lacking(tenant, move.embedder, after, count)

    async def keep(
        self,
        tenant: UUID,
        kind: str,
        move: Reembed,
        vectors: Mapping[UUID, Sequence[float]],
        upto: UUID,
    ) -> None:
        """Store vectors and advance the cursor, in one transaction."""
        async with self._cells.transaction(tenant) as connection:
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
        await self._cells.run_query(tenant, "rewind_reembed")

    async def switch(self, tenant: UUID, move: Reembed, generation: int) -> bool:
        """Switch all indexes in one transaction; return False if anything lacks a vector.

        The replaced indexes are retired and dropped later."""
        async with self._cells.transaction(tenant) as connection:
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
                await self._active_index.switch(connection, tenant, subject, pointer)
            await execute(connection, "forget_index_build", tenant=tenant)
        return True

    async def prepare(self, tenant: UUID, move: Reembed) -> None:
        for table in self._tables.values():
            await table.prepare(tenant, move.embedder)

    async def abandon(self, tenant: UUID) -> int | None:
        """End a move without a switch; return the generation of the index it was building."""
        async with self._cells.transaction(tenant) as connection:
            move = await fetch_one(connection, "find_reembed", tenant=tenant)
            build = await fetch_one(connection, "find_index_build", tenant=tenant)
            if move is None or not await self._end(connection, tenant, move["embedder"], ABANDONED):
                return None
            if build is None or build["embedder"] != move["embedder"]:
                return None
            await execute(connection, "forget_index_build", tenant=tenant)
        return int(build["index_version"])

    async def go_on(self, tenant: UUID) -> None:
        """Queue the next slice of the move."""
        async with self._cells.transaction(tenant) as connection:
            await self._defer(connection, tenant)

    async def retired(self, tenant: UUID) -> Sequence[RetiredIndex]:
        """Return the indexes that were replaced long enough ago to be dropped."""
        before = self._clock.now() - self._active_index.keep
        rows = await self._cells.read(tenant, "retired_indexes", before=before)
        return [RetiredIndex(row["subject"], row["index_version"], row["embedder"]) for row in rows]

    async def drop(self, tenant: UUID, retired: RetiredIndex) -> None:
        """Delete the vectors that only a retired index needs, and its record."""
        for table in self._tables.values():
            if table.subject == retired.subject:
                await table.drop(tenant, retired)
        index = {"subject": retired.subject, "generation": retired.generation}
        await self._cells.run_query(tenant, "forget_retired_index", **index)

    async def _defer(self, connection: Connection, tenant: UUID) -> None:
        job = Job(JobKind.REEMBED, tenant, tenant, lock=index_lock(tenant))
        await self._jobs.defer(connection, job)

    async def _end(
        self, connection: Connection, tenant: UUID, embedder: str, state: ReembedState
    ) -> bool:
        values = {"embedder": embedder, "state": state, "now": self._clock.now()}
        return bool(await execute(connection, "end_reembed", tenant=tenant, **values))


def _reembed(row: Row) -> Reembed:
    cursors = {kind: UUID(after) for kind, after in row["cursors"].items()}
    return from_row(Reembed, row, cursors=cursors)
