"""What has vectors in Postgres, kind by kind; a further kind is one more class and its queries."""

from collections.abc import Mapping, Sequence
from typing import Protocol
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

_DROPPED_AT_ONCE = 2_000
_FROM_THE_START = UUID(int=0)


class VectorTable(Protocol):
    """One kind of what is embedded. `subject` is the index whose pointer tells its embedder."""

    @property
    def kind(self) -> str: ...

    @property
    def subject(self) -> str: ...

    async def total(self, connection: Connection, tenant: UUID) -> int:
        """How many there are."""
        ...

    async def lacking(self, tenant: UUID, embedder: str, after: UUID, count: int) -> MissingVectors:
        """Those of the next ones without a vector of an embedder that is moved to."""
        ...

    async def keep(
        self,
        connection: Connection,
        tenant: UUID,
        embedder: str,
        vectors: Mapping[UUID, Sequence[float]],
    ) -> None:
        """Stores vectors of what is still there."""
        ...

    async def lacks(self, connection: Connection, tenant: UUID, embedder: str) -> bool:
        """Whether any has no vector of an embedder that is moved to."""
        ...

    async def prepare(self, tenant: UUID, embedder: str) -> None:
        """Clears what an earlier move to another embedder left behind that would pass for this."""
        ...

    async def drop(self, tenant: UUID, retired: RetiredIndex) -> None:
        """Removes what only a retired index needs; may run twice."""
        ...


class PassageVectors:
    """Passages: a vector for each embedder, whatever index it is in."""

    kind, subject = "passages", LIBRARY_INDEX

    def __init__(self, cells: Cells, jobs: JobQueue) -> None:
        self._cells = cells
        self._jobs = jobs

    async def total(self, connection: Connection, tenant: UUID) -> int:
        return await number(connection, "count_passages", "found", tenant=tenant)

    async def lacking(self, tenant: UUID, embedder: str, after: UUID, count: int) -> MissingVectors:
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            page = {"tenant": tenant, "after": after, "count": count}
            found = [
                row["passage_id"] for row in await fetch_all(connection, "next_passages", **page)
            ]
            values = {"tenant": tenant, "passages": found, "embedder": embedder}
            rows = await fetch_all(connection, "lacking_passages", **values)
        texts = {
            row["passage_id"]: in_context(row["text"], tuple(row["path"]), row["title"])
            for row in rows
        }
        return MissingVectors(texts, found[-1] if found else None)

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
        """Nothing: vectors are told apart by their embedder's name, so those there are right."""

    async def drop(self, tenant: UUID, retired: RetiredIndex) -> None:
        cell = await self._cells.for_tenant(tenant)
        named = {"tenant": tenant, "embedder": retired.embedder}
        whose = {"subject": retired.subject, "generation": retired.generation}
        after: UUID | None = _FROM_THE_START
        while after is not None:
            async with cell.transaction(tenant) as connection:
                if await number(connection, "embedder_is_needed", "needed", **named, **whose):
                    return
                page = {"tenant": tenant, "after": after, "count": _DROPPED_AT_ONCE}
                rows = await fetch_all(connection, "next_passages", **page)
                found = [row["passage_id"] for row in rows]
                await execute(connection, "drop_passage_vectors", **named, passages=found)
            after = found[-1] if found else None


class EpisodeVectors:
    """Episodes: a vector for each version of the index of memory; the next one is moved to."""

    kind, subject = "episodes", MEMORY_INDEX

    def __init__(self, cells: Cells, keyring: Keyring) -> None:
        self._cells = cells
        self._keyring = keyring

    async def total(self, connection: Connection, tenant: UUID) -> int:
        return await number(connection, "count_episodes", "found", tenant=tenant)

    async def lacking(self, tenant: UUID, embedder: str, after: UUID, count: int) -> MissingVectors:  # noqa: ARG002 - one move at a time
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            active = await active_version(connection, tenant)
            page = {"tenant": tenant, "after": after, "count": count}
            found = [
                row["episode_id"] for row in await fetch_all(connection, "next_episodes", **page)
            ]
            values = {"tenant": tenant, "episodes": found, "index_version": active + 1}
            rows = await fetch_all(connection, "lacking_episodes", **values)
        texts: dict[UUID, str] = {}
        for row in rows:
            cipher = await self._keyring.user(tenant, row["member_id"])
            episode = row["episode_id"]
            texts[episode] = cipher.open(row["content"], FieldLocation("episode.content", episode))
        return MissingVectors(texts, found[-1] if found else None)

    async def keep(
        self,
        connection: Connection,
        tenant: UUID,
        embedder: str,  # noqa: ARG002 - one move at a time
        vectors: Mapping[UUID, Sequence[float]],
    ) -> None:
        await keep_next(connection, "save_episode_vectors", tenant, vectors)

    async def lacks(self, connection: Connection, tenant: UUID, embedder: str) -> bool:  # noqa: ARG002 - one move at a time
        return await next_lacks(connection, "episodes_lack_vectors", tenant)

    async def prepare(self, tenant: UUID, embedder: str) -> None:
        await self.drop(tenant, await next_index(self._cells, tenant, embedder))

    async def drop(self, tenant: UUID, retired: RetiredIndex) -> None:
        cell = await self._cells.for_tenant(tenant)
        named = {"tenant": tenant, "index_version": retired.generation}
        after: UUID | None = _FROM_THE_START
        while after is not None:
            async with cell.transaction(tenant) as connection:
                page = {"tenant": tenant, "after": after, "count": _DROPPED_AT_ONCE}
                rows = await fetch_all(connection, "next_episodes", **page)
                found = [row["episode_id"] for row in rows]
                members = list({row["member_id"] for row in rows})
                await execute(connection, "drop_index_version", **named, episodes=found)
                await execute(connection, "drop_term_counts", **named, members=members)
            after = found[-1] if found else None


async def keep_next(
    connection: Connection, query: str, tenant: UUID, vectors: Mapping[UUID, Sequence[float]]
) -> None:
    """Stores vectors for the version of memory's index that is moved to."""
    active = await active_version(connection, tenant)
    await execute(
        connection,
        query,
        tenant=tenant,
        items=list(vectors),
        embeddings=[vector_literal(vector) for vector in vectors.values()],
        active=active,
        index_version=active + 1,
    )


async def next_lacks(connection: Connection, query: str, tenant: UUID) -> bool:
    """Whether the version that is moved to lacks any vector."""
    active = await active_version(connection, tenant)
    versions = {"active": active, "index_version": active + 1}
    return bool(await number(connection, query, "lacking", tenant=tenant, **versions))


async def next_index(cells: Cells, tenant: UUID, embedder: str) -> RetiredIndex:
    """What an earlier move may have left where the next version of memory's index comes."""
    cell = await cells.for_tenant(tenant)
    async with cell.transaction(tenant) as connection:
        return RetiredIndex(MEMORY_INDEX, await active_version(connection, tenant) + 1, embedder)


async def active_version(connection: Connection, tenant: UUID) -> int:
    """The version of memory's index that serves."""
    return await number(
        connection, "find_index_state", "index_version", tenant=tenant, subject=MEMORY_INDEX
    )


async def number(connection: Connection, name: str, column: str, /, **values: object) -> int:
    """What a query counts."""
    row = await fetch_one(connection, name, **values)
    assert row is not None, f"{name} gives a row"
    return int(row[column])
