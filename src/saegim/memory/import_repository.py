"""Imports of memories in Postgres, encrypted while pending."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from saegim.conversations import turn_rows
from saegim.db.cells import Cells, Row, fetch_one
from saegim.domain.errors import NotFound
from saegim.domain.ids import Clock
from saegim.domain.scope import Scope
from saegim.encryption.cipher import FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.jobs.queue import JobQueue
from saegim.memory.jobs import import_job
from saegim.memory.types import ImportState, MemoryImport, PendingImport

BODY = "memory_import.body"


class PostgresMemoryImports:
    def __init__(self, cells: Cells, keyring: Keyring, jobs: JobQueue, clock: Clock) -> None:
        self._cells = cells
        self._keyring = keyring
        self._jobs = jobs
        self._clock = clock

    async def open(
        self, scope: Scope, identifier: UUID, records: Sequence[Mapping[str, Any]]
    ) -> MemoryImport:
        """Store an import and queue its job; the same records return the pending import."""
        body = await asyncio.to_thread(json.dumps, records, ensure_ascii=False)
        digest = (await self._keyring.tenant(scope.tenant)).fingerprint(
            f"import:{scope.user}:{scope.profile}:{sha256(body.encode()).hexdigest()}"
        )
        cipher = await self._keyring.user(scope.tenant, scope.user)
        owned = turn_rows.owned(scope)
        async with self._cells.transaction(scope.tenant) as connection:
            row = await fetch_one(
                connection,
                "add_memory_import",
                **owned,
                id=identifier,
                digest=digest,
                body=cipher.seal(body, FieldLocation(BODY, identifier)),
                total=len(records),
                now=self._clock.now(),
            )
            if row is not None:
                await self._jobs.defer(connection, import_job(scope, identifier))
            else:
                row = await fetch_one(connection, "same_memory_import", **owned, digest=digest)
        if row is None:
            # The same import was completed between the two statements.
            return await self.open(scope, identifier, records)
        return _import(row)

    async def find(self, scope: Scope, identifier: UUID) -> MemoryImport:
        """Return the progress of an import of the caller. Raises NotFound."""
        values = turn_rows.owner(scope) | {"id": identifier}
        row = await self._cells.fetch_one(scope.tenant, "find_memory_import", **values)
        if row is None:
            raise NotFound("import")
        return _import(row)

    async def pending(self, tenant: UUID, identifier: UUID) -> PendingImport | None:
        """Return a pending import; None if it is done."""
        row = await self._cells.fetch_one(tenant, "pending_memory_import", id=identifier)
        if row is None:
            return None
        scope = Scope(tenant, row["member_id"], row["profile_id"])
        cipher = await self._keyring.user(tenant, scope.user)
        records = json.loads(cipher.open(row["body"], FieldLocation(BODY, identifier)))
        return PendingImport(scope, records, row["done"])

    async def advance(self, tenant: UUID, identifier: UUID, done: int) -> None:
        """Save the number of stored records; the last one clears the content."""
        values = {"id": identifier, "done": done, "now": self._clock.now()}
        await self._cells.run_query(tenant, "advance_memory_import", **values)

    async def remove_old(self, tenant: UUID, before: datetime, most: int) -> int:
        """Delete imports completed before a time."""
        return await self._cells.run_query(tenant, "drop_old_imports", before=before, most=most)


def _import(row: Row) -> MemoryImport:
    state = ImportState.DONE if row["done"] >= row["total"] else ImportState.WAITING
    return MemoryImport(row["import_id"], state, row["total"], row["done"])
