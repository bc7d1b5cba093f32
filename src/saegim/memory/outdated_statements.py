"""Turns whose words hold no more, told apart in the transaction that changes their record."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from saegim.conversations import turn_rows
from saegim.conversations.types import StatementFate
from saegim.db.cells import Connection, Row, execute, fetch_all, fetch_one
from saegim.domain.scope import Scope
from saegim.encryption.cipher import Cipher
from saegim.memory import record_rows
from saegim.memory.redaction import quoted_in
from saegim.memory.types import Origin, Record

_ENDS = " .!?~…。！？"


@dataclass(frozen=True, slots=True)
class OutdatedStatements:
    """Notes on one person's turns what became of the records they told."""

    connection: Connection
    scope: Scope
    cipher: Cipher

    async def follow(self, rows: Iterable[Row]) -> None:
        """Says of each record's turns that it was corrected or replaced since, or nothing."""
        for row in rows:
            record = record_rows.read(row, self.cipher)
            why = None if row["forgotten_at"] is not None else await self._why(row, record)
            turns = await self._source_turns(row, record)
            for found in turns:
                await self._note(found, record, why)

    async def _why(self, row: Row, record: Record) -> StatementFate | None:
        if row["ended_at"] is not None:
            return StatementFate.REPLACED
        if record.origin is not Origin.PERSON or record.version == 1:
            return None
        versions = await self._all("list_memory_versions", memory=record.id)
        first = record_rows.read_version(versions[-1], self.cipher)
        return StatementFate.CORRECTED if first.statement.content != record.content else None

    async def _source_turns(self, row: Row, record: Record) -> Sequence[Row]:
        """The turns of a record; those that tell what took its place stay as they are."""
        turns_of_record = set(record.sources)
        successor: UUID | None = row["superseded_by"]
        if successor is not None:
            whose = turn_rows.owned(self.scope)
            later = await fetch_one(self.connection, "find_memory", **whose, memory=successor)
            turns_of_record -= set(later["sources"]) if later else set()
        return (
            await self._all("lock_turns", turns=sorted(turns_of_record)) if turns_of_record else []
        )

    async def _note(self, found: Row, record: Record, why: StatementFate | None) -> None:
        turn = turn_rows.read(found, self.cipher)
        notes: dict[str, Any] = dict(found["outdated"] or {})
        notes.pop(str(record.id), None)
        if why is not None:
            # Before the mark that ends the sentence: what is quoted by sentences keeps its note.
            quoted = quoted_in(record.quote.rstrip(_ENDS), turn).message
            notes[str(record.id)] = [quoted[0][1] if quoted else len(turn.message), why]
        if notes != (found["outdated"] or {}):
            await execute(
                self.connection,
                "mark_outdated",
                tenant=self.scope.tenant,
                turn=turn.id,
                outdated=Jsonb(notes) if notes else None,
            )

    async def _all(self, name: str, **values: Any) -> list[Row]:
        return await fetch_all(self.connection, name, **turn_rows.owned(self.scope), **values)
