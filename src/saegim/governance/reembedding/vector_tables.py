"""Tables with vectors; a further kind is one more class and its queries."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple
from uuid import UUID

from saegim.auth.repository import LIBRARY_INDEX, MEMORY_INDEX
from saegim.db.cells import Cells, Connection, Row, execute, fetch_all, fetch_one
from saegim.encryption.cipher import FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.governance.reembedding.types import MissingVectors, RetiredIndex
from saegim.jobs.queue import JobQueue
from saegim.jobs.types import Job, JobKind
from saegim.library.import_plan import embedded_text
from saegim.library.jobs import index_lock
from saegim.library.rows import vector_literal
from saegim.memory import record_rows
from saegim.memory.types import text_of

DROP_BATCH = 2_000
FIRST_ID = UUID(int=0)

type Values = dict[str, object]


class TableQueries(NamedTuple):
    """The names of a table's queries: its size, a page of rows, those of a page without a vector,
    whether any row has none, and storage and deletion of vectors."""

    total: str
    page: str
    lacking: str
    lacks: str
    store: str
    drop: str


class VectorTable(ABC):
    """A kind of embedded rows. `subject` is the index that they belong to."""

    kind: ClassVar[str]
    subject: ClassVar[str]
    id_column: ClassVar[str]
    queries: ClassVar[TableQueries]

    def __init__(self, cells: Cells) -> None:
        self._cells = cells

    async def total(self, connection: Connection, tenant: UUID) -> int:
        return await number(connection, self.queries.total, "found", tenant=tenant)

    async def lacking(self, tenant: UUID, embedder: str, after: UUID, count: int) -> MissingVectors:
        """Return the next rows without a vector of the new embedder."""
        async with self._cells.transaction(tenant) as connection:
            page = await self._page(connection, tenant, after, count)
            values = await self._target(connection, tenant, embedder) | self._of_page(page)
            rows = await fetch_all(connection, self.queries.lacking, **values)
        texts = {row[self.id_column]: await self._text(tenant, row) for row in rows}
        return MissingVectors(texts, self._end(page))

    async def lacks(self, connection: Connection, tenant: UUID, embedder: str) -> bool:
        """Whether any row has no vector of the new embedder."""
        values = await self._target(connection, tenant, embedder)
        return bool(await number(connection, self.queries.lacks, "lacking", **values))

    async def drop(self, tenant: UUID, retired: RetiredIndex) -> None:
        """Delete the vectors that only a retired index needs; may run twice."""
        after: UUID | None = FIRST_ID
        while after is not None:
            async with self._cells.transaction(tenant) as connection:
                page = await self._page(connection, tenant, after, DROP_BATCH)
                if not await self._drop_page(connection, tenant, retired, page):
                    return
            after = self._end(page)

    @abstractmethod
    async def keep(
        self,
        connection: Connection,
        tenant: UUID,
        embedder: str,
        vectors: Mapping[UUID, Sequence[float]],
    ) -> None:
        """Store vectors of rows that still exist."""

    @abstractmethod
    async def prepare(self, tenant: UUID, embedder: str) -> None:
        """Delete leftovers of an earlier move that would be taken for vectors of this one."""

    @abstractmethod
    async def _target(self, connection: Connection, tenant: UUID, embedder: str) -> Values:
        """Return the values that name the vectors of the new embedder."""

    @abstractmethod
    def _of_page(self, page: Sequence[Row]) -> Values:
        """Return the values that name the rows of a page."""

    @abstractmethod
    async def _text(self, tenant: UUID, row: Row) -> str:
        """Return the text to embed."""

    @abstractmethod
    async def _drop_page(
        self, connection: Connection, tenant: UUID, retired: RetiredIndex, page: Sequence[Row]
    ) -> bool:
        """Delete the vectors of a page; return False if they are needed."""

    async def _page(
        self, connection: Connection, tenant: UUID, after: UUID, count: int
    ) -> list[Row]:
        page = {"tenant": tenant, "after": after, "count": count}
        return await fetch_all(connection, self.queries.page, **page)

    def _ids(self, page: Sequence[Row]) -> list[UUID]:
        return [row[self.id_column] for row in page]

    def _end(self, page: Sequence[Row]) -> UUID | None:
        """Return where the next page starts, or None after the last one."""
        return page[-1][self.id_column] if page else None


class PassageVectors(VectorTable):
    """Passages have one vector per embedder, whatever the index."""

    kind, subject, id_column = "passages", LIBRARY_INDEX, "passage_id"
    queries = TableQueries(
        "count_passages",
        "next_passages",
        "lacking_passages",
        "passages_lack_vectors",
        "save_passage_vectors",
        "drop_passage_vectors",
    )

    def __init__(self, cells: Cells, jobs: JobQueue) -> None:
        super().__init__(cells)
        self._jobs = jobs

    async def keep(
        self,
        connection: Connection,
        tenant: UUID,
        embedder: str,
        vectors: Mapping[UUID, Sequence[float]],
    ) -> None:
        values = {"tenant": tenant, "embedder": embedder, "passages": list(vectors)}
        literals = [vector_literal(vector) for vector in vectors.values()]
        await execute(connection, self.queries.store, **values, embeddings=literals)
        if await execute(connection, "note_embedded_passages", **values):
            job = Job(JobKind.SYNC_INDEX, tenant, tenant, lock=index_lock(tenant))
            await self._jobs.defer(connection, job)

    async def prepare(self, tenant: UUID, embedder: str) -> None:
        """Do nothing: vectors carry the name of their embedder."""

    async def _target(self, connection: Connection, tenant: UUID, embedder: str) -> Values:  # noqa: ARG002 - the same for every index
        return {"tenant": tenant, "embedder": embedder}

    def _of_page(self, page: Sequence[Row]) -> Values:
        return {"passages": self._ids(page)}

    async def _text(self, tenant: UUID, row: Row) -> str:  # noqa: ARG002 - passages are not encrypted
        return embedded_text(row["text"], tuple(row["path"]), row["title"])

    async def _drop_page(
        self, connection: Connection, tenant: UUID, retired: RetiredIndex, page: Sequence[Row]
    ) -> bool:
        values = {"tenant": tenant, "embedder": retired.embedder}
        index = {"subject": retired.subject, "generation": retired.generation}
        if await number(connection, "embedder_is_needed", "needed", **values, **index):
            return False
        await execute(connection, self.queries.drop, **values, **self._of_page(page))
        return True


class MemoryVectors(VectorTable):
    """Rows of memory have one vector per version of the memory index; a move fills the next."""

    subject = MEMORY_INDEX

    def __init__(self, cells: Cells, keyring: Keyring) -> None:
        super().__init__(cells)
        self._keyring = keyring

    async def keep(
        self,
        connection: Connection,
        tenant: UUID,
        embedder: str,
        vectors: Mapping[UUID, Sequence[float]],
    ) -> None:
        values = await self._target(connection, tenant, embedder)
        literals = [vector_literal(vector) for vector in vectors.values()]
        await execute(
            connection, self.queries.store, **values, items=list(vectors), embeddings=literals
        )

    async def prepare(self, tenant: UUID, embedder: str) -> None:
        async with self._cells.transaction(tenant) as connection:
            version = await _active_version(connection, tenant) + 1
        await self.drop(tenant, RetiredIndex(MEMORY_INDEX, version, embedder))

    async def _target(self, connection: Connection, tenant: UUID, embedder: str) -> Values:  # noqa: ARG002 - one move at a time
        active = await _active_version(connection, tenant)
        return {"tenant": tenant, "active": active, "index_version": active + 1}

    async def _drop_page(
        self, connection: Connection, tenant: UUID, retired: RetiredIndex, page: Sequence[Row]
    ) -> bool:
        values = self._of_page(page) | {"tenant": tenant, "index_version": retired.generation}
        values["members"] = list({row["member_id"] for row in page})
        await execute(connection, self.queries.drop, **values)
        await execute(connection, "drop_term_counts", **values)
        return True


class EpisodeVectors(MemoryVectors):
    kind, id_column = "episodes", "episode_id"
    queries = TableQueries(
        "count_episodes",
        "next_episodes",
        "lacking_episodes",
        "episodes_lack_vectors",
        "save_episode_vectors",
        "drop_index_version",
    )

    def _of_page(self, page: Sequence[Row]) -> Values:
        return {"episodes": self._ids(page)}

    async def _text(self, tenant: UUID, row: Row) -> str:
        cipher = await self._keyring.user(tenant, row["member_id"])
        return cipher.open(row["content"], FieldLocation("episode.content", row["episode_id"]))


class RecordVectors(MemoryVectors):
    """Pages of records are in the order of their natural keys."""

    kind, id_column = "memories", "memory_id"
    queries = TableQueries(
        "count_memories",
        "next_memories",
        "lacking_memories",
        "memories_lack_vectors",
        "save_memory_vectors",
        "drop_memory_index_version",
    )

    async def _page(
        self, connection: Connection, tenant: UUID, after: UUID, count: int
    ) -> list[Row]:
        page = {"tenant": tenant, "after": after.bytes, "count": count}
        return await fetch_all(connection, self.queries.page, **page)

    def _end(self, page: Sequence[Row]) -> UUID | None:
        """Return the ID after the first half of the last natural key."""
        return UUID(int=int.from_bytes(page[-1]["natural_hash"][:16]) + 1) if page else None

    def _of_page(self, page: Sequence[Row]) -> Values:
        return {"keys": [row["natural_hash"] for row in page], "memories": self._ids(page)}

    async def _text(self, tenant: UUID, row: Row) -> str:
        cipher = await self._keyring.user(tenant, row["member_id"])
        body = record_rows.Body.open(row["body"], row["memory_id"], cipher)
        return text_of(body.content, body.topic)


async def _active_version(connection: Connection, tenant: UUID) -> int:
    """Return the version of the memory index in use."""
    return await number(
        connection, "find_index_state", "index_version", tenant=tenant, subject=MEMORY_INDEX
    )


async def number(connection: Connection, name: str, column: str, /, **values: object) -> int:
    """Return the number in a column of a query's only row."""
    row = await fetch_one(connection, name, **values)
    assert row is not None, f"{name} gives a row"
    return int(row[column])
