"""Tables with vectors; a further kind is one more class and its queries."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple, Protocol
from uuid import UUID

from saegim.auth.repository import LIBRARY_INDEX, MEMORY_INDEX
from saegim.db.cells import Cells, Connection, execute, fetch_all, fetch_one
from saegim.encryption.cipher import FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.governance.reembedding.types import MissingVectors, RetiredIndex
from saegim.jobs.queue import JobQueue
from saegim.jobs.types import Job, JobKind
from saegim.library.jobs import index_lock
from saegim.library.rows import vector_literal
from saegim.library.types import in_context

DROP_BATCH = 2_000
FIRST_ID = UUID(int=0)


class VectorTable(Protocol):
    """A kind of embedded rows. `subject` is the index that they belong to."""

    @property
    def kind(self) -> str: ...

    @property
    def subject(self) -> str: ...

    async def total(self, connection: Connection, tenant: UUID) -> int: ...

    async def lacking(self, tenant: UUID, embedder: str, after: UUID, count: int) -> MissingVectors:
        """Return the next rows without a vector of the new embedder."""
        ...

    async def keep(
        self,
        connection: Connection,
        tenant: UUID,
        embedder: str,
        vectors: Mapping[UUID, Sequence[float]],
    ) -> None:
        """Store vectors of rows that still exist."""
        ...

    async def lacks(self, connection: Connection, tenant: UUID, embedder: str) -> bool:
        """Whether any row has no vector of the new embedder."""
        ...

    async def prepare(self, tenant: UUID, embedder: str) -> None:
        """Delete leftovers of an earlier move that would be taken for vectors of this one."""
        ...

    async def drop(self, tenant: UUID, retired: RetiredIndex) -> None:
        """Delete the vectors that only a retired index needs; may run twice."""
        ...


class PassageVectors:
    """Passages have one vector per embedder, whatever the index."""

    kind, subject = "passages", LIBRARY_INDEX

    def __init__(self, cells: Cells, jobs: JobQueue) -> None:
        self._cells = cells
        self._jobs = jobs

    async def total(self, connection: Connection, tenant: UUID) -> int:
        return await number(connection, "count_passages", "found", tenant=tenant)

    async def lacking(self, tenant: UUID, embedder: str, after: UUID, count: int) -> MissingVectors:
        async with self._cells.transaction(tenant) as connection:
            page = {"tenant": tenant, "after": after, "count": count}
            ids = [
                row["passage_id"] for row in await fetch_all(connection, "next_passages", **page)
            ]
            values = {"tenant": tenant, "passages": ids, "embedder": embedder}
            rows = await fetch_all(connection, "lacking_passages", **values)
        texts = {
            row["passage_id"]: in_context(row["text"], tuple(row["path"]), row["title"])
            for row in rows
        }
        return MissingVectors(texts, ids[-1] if ids else None)

    async def keep(
        self,
        connection: Connection,
        tenant: UUID,
        embedder: str,
        vectors: Mapping[UUID, Sequence[float]],
    ) -> None:
        values = {"tenant": tenant, "embedder": embedder, "passages": list(vectors)}
        literals = [vector_literal(vector) for vector in vectors.values()]
        await execute(connection, "save_passage_vectors", **values, embeddings=literals)
        if await execute(connection, "note_embedded_passages", **values):
            job = Job(JobKind.SYNC_INDEX, tenant, tenant, lock=index_lock(tenant))
            await self._jobs.defer(connection, job)

    async def lacks(self, connection: Connection, tenant: UUID, embedder: str) -> bool:
        values = {"tenant": tenant, "embedder": embedder}
        return bool(await number(connection, "passages_lack_vectors", "lacking", **values))

    async def prepare(self, tenant: UUID, embedder: str) -> None:
        """Do nothing: vectors carry the name of their embedder."""

    async def drop(self, tenant: UUID, retired: RetiredIndex) -> None:
        cell = await self._cells.for_tenant(tenant)
        values = {"tenant": tenant, "embedder": retired.embedder}
        index = {"subject": retired.subject, "generation": retired.generation}
        after: UUID | None = FIRST_ID
        while after is not None:
            async with cell.transaction(tenant) as connection:
                if await number(connection, "embedder_is_needed", "needed", **values, **index):
                    return
                page = {"tenant": tenant, "after": after, "count": DROP_BATCH}
                rows = await fetch_all(connection, "next_passages", **page)
                ids = [row["passage_id"] for row in rows]
                await execute(connection, "drop_passage_vectors", **values, passages=ids)
            after = ids[-1] if ids else None


class MemoryQueries(NamedTuple):
    """The names of a memory table's queries."""

    total: str
    store: str
    missing: str


class MemoryVectors:
    """Rows of memory have one vector per version of the memory index; a move fills the next."""

    subject = MEMORY_INDEX
    queries: ClassVar[MemoryQueries]

    def __init__(self, cells: Cells, keyring: Keyring) -> None:
        self._cells = cells
        self._keyring = keyring

    async def total(self, connection: Connection, tenant: UUID) -> int:
        return await number(connection, self.queries.total, "found", tenant=tenant)

    async def keep(
        self,
        connection: Connection,
        tenant: UUID,
        embedder: str,  # noqa: ARG002 - one move at a time
        vectors: Mapping[UUID, Sequence[float]],
    ) -> None:
        active = await active_version(connection, tenant)
        await execute(
            connection,
            self.queries.store,
            tenant=tenant,
            items=list(vectors),
            embeddings=[vector_literal(vector) for vector in vectors.values()],
            active=active,
            index_version=active + 1,
        )

    async def lacks(self, connection: Connection, tenant: UUID, embedder: str) -> bool:  # noqa: ARG002 - one move at a time
        active = await active_version(connection, tenant)
        versions = {"active": active, "index_version": active + 1}
        missing = await number(
            connection, self.queries.missing, "lacking", tenant=tenant, **versions
        )
        return bool(missing)

    async def prepare(self, tenant: UUID, embedder: str) -> None:
        async with self._cells.transaction(tenant) as connection:
            version = await active_version(connection, tenant) + 1
        await self.drop(tenant, RetiredIndex(MEMORY_INDEX, version, embedder))

    async def drop(self, tenant: UUID, retired: RetiredIndex) -> None:
        raise NotImplementedError


class EpisodeVectors(MemoryVectors):
    kind = "episodes"
    queries = MemoryQueries("count_episodes", "save_episode_vectors", "episodes_lack_vectors")

    async def lacking(self, tenant: UUID, embedder: str, after: UUID, count: int) -> MissingVectors:  # noqa: ARG002 - one move at a time
        async with self._cells.transaction(tenant) as connection:
            active = await active_version(connection, tenant)
            page = {"tenant": tenant, "after": after, "count": count}
            ids = [
                row["episode_id"] for row in await fetch_all(connection, "next_episodes", **page)
            ]
            values = {"tenant": tenant, "episodes": ids, "index_version": active + 1}
            rows = await fetch_all(connection, "lacking_episodes", **values)
        texts: dict[UUID, str] = {}
        for row in rows:
            cipher = await self._keyring.user(tenant, row["member_id"])
            episode = row["episode_id"]
            texts[episode] = cipher.open(row["content"], FieldLocation("episode.content", episode))
        return MissingVectors(texts, ids[-1] if ids else None)

    async def drop(self, tenant: UUID, retired: RetiredIndex) -> None:
        cell = await self._cells.for_tenant(tenant)
        values = {"tenant": tenant, "index_version": retired.generation}
        after: UUID | None = FIRST_ID
        while after is not None:
            async with cell.transaction(tenant) as connection:
                page = {"tenant": tenant, "after": after, "count": DROP_BATCH}
                rows = await fetch_all(connection, "next_episodes", **page)
                ids = [row["episode_id"] for row in rows]
                members = list({row["member_id"] for row in rows})
                await execute(connection, "drop_index_version", **values, episodes=ids)
                await execute(connection, "drop_term_counts", **values, members=members)
            after = ids[-1] if ids else None


async def active_version(connection: Connection, tenant: UUID) -> int:
    """Return the version of the memory index in use."""
    return await number(
        connection, "find_index_state", "index_version", tenant=tenant, subject=MEMORY_INDEX
    )


async def number(connection: Connection, name: str, column: str, /, **values: object) -> int:
    """Return the number in a column of a query's only row."""
    row = await fetch_one(connection, name, **values)
    assert row is not None, f"{name} gives a row"
    return int(row[column])
