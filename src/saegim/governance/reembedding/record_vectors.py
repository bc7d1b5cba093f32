"""Records on their way from one embedder to another: implements `VectorTable`."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from saegim.auth.repository import MEMORY_INDEX
from saegim.db.cells import Cells, Connection, Row, execute, fetch_all
from saegim.encryption.keyring import Keyring
from saegim.governance.reembedding.types import MissingVectors, RetiredIndex
from saegim.governance.reembedding.vector_tables import (
    active_version,
    keep_next,
    next_index,
    next_lacks,
    number,
)
from saegim.memory import record_rows
from saegim.memory.search_text import text_of

_DROPPED_AT_ONCE = 2_000
_FROM_THE_START = UUID(int=0)


class RecordVectors:
    """Records: a vector for each version of the index of memory; the next one is moved to."""

    kind, subject = "memories", MEMORY_INDEX

    def __init__(self, cells: Cells, keyring: Keyring) -> None:
        self._cells = cells
        self._keyring = keyring

    async def total(self, connection: Connection, tenant: UUID) -> int:
        return await number(connection, "count_memories", "found", tenant=tenant)

    async def lacking(self, tenant: UUID, embedder: str, after: UUID, count: int) -> MissingVectors:  # noqa: ARG002 - one move at a time
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            active = await active_version(connection, tenant)
            found = await _page(connection, tenant, after, count)
            rows = await fetch_all(
                connection,
                "lacking_memories",
                tenant=tenant,
                keys=[row["natural_hash"] for row in found],
                index_version=active + 1,
            )
        texts: dict[UUID, str] = {}
        for row in rows:
            cipher = await self._keyring.user(tenant, row["member_id"])
            body = record_rows.Body.open(row["body"], row["memory_id"], cipher)
            texts[row["memory_id"]] = text_of(body.content, body.topic)
        return MissingVectors(texts, _past(found))

    async def keep(
        self,
        connection: Connection,
        tenant: UUID,
        embedder: str,  # noqa: ARG002 - one move at a time
        vectors: Mapping[UUID, Sequence[float]],
    ) -> None:
        await keep_next(connection, "save_memory_vectors", tenant, vectors)

    async def lacks(self, connection: Connection, tenant: UUID, embedder: str) -> bool:  # noqa: ARG002 - one move at a time
        return await next_lacks(connection, "memories_lack_vectors", tenant)

    async def prepare(self, tenant: UUID, embedder: str) -> None:
        await self.drop(tenant, await next_index(self._cells, tenant, embedder))

    async def drop(self, tenant: UUID, retired: RetiredIndex) -> None:
        cell = await self._cells.for_tenant(tenant)
        after: UUID | None = _FROM_THE_START
        while after is not None:
            async with cell.transaction(tenant) as connection:
                rows = await _page(connection, tenant, after, _DROPPED_AT_ONCE)
                named = {
                    "tenant": tenant,
                    "index_version": retired.generation,
                    "members": list({row["member_id"] for row in rows}),
                }
                records = [row["memory_id"] for row in rows]
                await execute(connection, "drop_memory_index_version", **named, memories=records)
                await execute(connection, "drop_term_counts", **named)
            after = _past(rows)


async def _page(connection: Connection, tenant: UUID, after: UUID, count: int) -> list[Row]:
    return await fetch_all(
        connection, "next_memories", tenant=tenant, after=after.bytes, count=count
    )


def _past(rows: Sequence[Row]) -> UUID | None:
    """Where the next page starts: past the first half of the last natural key."""
    return UUID(int=int.from_bytes(rows[-1]["natural_hash"][:16]) + 1) if rows else None
