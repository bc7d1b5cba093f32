"""Vectors of memory records while a tenant moves to another embedder."""

from collections.abc import Sequence
from uuid import UUID

from saegim.db.cells import Connection, Row, execute, fetch_all
from saegim.governance.reembedding.types import MissingVectors, RetiredIndex
from saegim.governance.reembedding.vector_tables import (
    DROP_BATCH,
    FIRST_ID,
    MemoryQueries,
    MemoryVectors,
    active_version,
)
from saegim.memory import record_rows
from saegim.memory.search_text import text_of


class RecordVectors(MemoryVectors):
    kind = "memories"
    queries = MemoryQueries("count_memories", "save_memory_vectors", "memories_lack_vectors")

    async def lacking(self, tenant: UUID, embedder: str, after: UUID, count: int) -> MissingVectors:  # noqa: ARG002 - one move at a time
        async with self._cells.transaction(tenant) as connection:
            active = await active_version(connection, tenant)
            page = await _page(connection, tenant, after, count)
            rows = await fetch_all(
                connection,
                "lacking_memories",
                tenant=tenant,
                keys=[row["natural_hash"] for row in page],
                index_version=active + 1,
            )
        texts: dict[UUID, str] = {}
        for row in rows:
            cipher = await self._keyring.user(tenant, row["member_id"])
            body = record_rows.Body.open(row["body"], row["memory_id"], cipher)
            texts[row["memory_id"]] = text_of(body.content, body.topic)
        return MissingVectors(texts, _next(page))

    async def drop(self, tenant: UUID, retired: RetiredIndex) -> None:
        cell = await self._cells.for_tenant(tenant)
        after: UUID | None = FIRST_ID
        while after is not None:
            async with cell.transaction(tenant) as connection:
                page = await _page(connection, tenant, after, DROP_BATCH)
                values = {
                    "tenant": tenant,
                    "index_version": retired.generation,
                    "members": list({row["member_id"] for row in page}),
                }
                records = [row["memory_id"] for row in page]
                await execute(connection, "drop_memory_index_version", **values, memories=records)
                await execute(connection, "drop_term_counts", **values)
            after = _next(page)


async def _page(connection: Connection, tenant: UUID, after: UUID, count: int) -> list[Row]:
    return await fetch_all(
        connection, "next_memories", tenant=tenant, after=after.bytes, count=count
    )


def _next(page: Sequence[Row]) -> UUID | None:
    """Return where the next page starts: after the first half of the last natural key."""
    return UUID(int=int.from_bytes(page[-1]["natural_hash"][:16]) + 1) if page else None
