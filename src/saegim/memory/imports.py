"""Import exported memories in the background."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from saegim.domain.errors import TooLarge
from saegim.domain.ids import Clock, new_id
from saegim.domain.scope import Scope
from saegim.memory.import_repository import PostgresMemoryImports
from saegim.memory.import_types import MemoryImport
from saegim.memory.service import Memories, PortableRecord
from saegim.memory.types import MemoryType, Statement

MOST_RECORDS = 1_000
AT_ONCE = 20


class MemoryImports:
    def __init__(self, store: PostgresMemoryImports, memories: Memories, clock: Clock) -> None:
        self._store = store
        self._memories = memories
        self._clock = clock

    async def open(self, scope: Scope, records: Sequence[PortableRecord]) -> MemoryImport:
        """Queue an import. Raises TooLarge."""
        if len(records) > MOST_RECORDS:
            raise TooLarge(f"an import may have {MOST_RECORDS} memories; send the rest in another")
        stored = [_stored(each) for each in records]
        return await self._store.open(scope, new_id(self._clock.now()), stored)

    async def find(self, scope: Scope, identifier: UUID) -> MemoryImport:
        """Return the progress of an import. Raises NotFound."""
        return await self._store.find(scope, identifier)

    async def run(self, tenant: UUID, subject: UUID) -> int:
        """Run the job of an import; return the number of records. Resumes after a crash."""
        pending = await self._store.pending(tenant, subject)
        if pending is None:
            return 0
        for start in range(pending.done, len(pending.records), AT_ONCE):
            batch = [_portable(each) for each in pending.records[start : start + AT_ONCE]]
            await self._memories.take_in(pending.scope, batch)
            await self._store.advance(tenant, subject, start + len(batch))
        return len(pending.records) - pending.done


def _stored(record: PortableRecord) -> dict[str, Any]:
    statement = record.statement
    return {
        "type": statement.type.value,
        "content": statement.content,
        "importance": statement.importance,
        "valid_from": _text(statement.valid_from),
        "valid_to": _text(statement.valid_to),
        "topic": statement.topic,
        "tags": sorted(statement.tags),
        "said_at": _text(record.said_at),
        "sources": [str(each) for each in record.sources],
        "quote": record.quote,
        "pinned": record.pinned,
        "retention": record.retention,
    }


def _portable(stored: Mapping[str, Any]) -> PortableRecord:
    statement = Statement(
        type=MemoryType(stored["type"]),
        content=stored["content"],
        importance=stored["importance"],
        valid_from=_moment(stored["valid_from"]),
        valid_to=_moment(stored["valid_to"]),
        topic=stored["topic"],
        tags=frozenset(stored["tags"]),
    )
    return PortableRecord(
        statement=statement,
        said_at=datetime.fromisoformat(stored["said_at"]),
        sources=tuple(UUID(each) for each in stored["sources"]),
        quote=stored["quote"],
        pinned=stored["pinned"],
        retention=stored["retention"],
    )


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
