"""Import exported memories in the background."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python

from saegim.domain.errors import TooLarge
from saegim.domain.ids import Clock, new_id
from saegim.domain.scope import Scope
from saegim.memory.import_repository import PostgresMemoryImports
from saegim.memory.service import Memories, PortableRecord
from saegim.memory.types import MemoryImport

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
        stored = await asyncio.to_thread(lambda: [_stored(each) for each in records])
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
            batch = [
                _PORTABLE.validate_python({**each, "statement": each})
                for each in pending.records[start : start + AT_ONCE]
            ]
            await self._memories.take_in(pending.scope, batch)
            await self._store.advance(tenant, subject, start + len(batch))
        return len(pending.records) - pending.done


_PORTABLE = TypeAdapter(PortableRecord)


def _stored(record: PortableRecord) -> dict[str, Any]:
    """Return a record as flat JSON; the order of tags is fixed, as the import is hashed."""
    stored = asdict(record)
    stored |= stored.pop("statement") | {"tags": sorted(record.statement.tags)}
    del stored["pii"]
    return to_jsonable_python(stored)
