"""Mark outdated statements of turns in the transaction that changes their record."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from saegim.conversations import turn_rows
from saegim.conversations.types import StatementFate
from saegim.db.cells import Row
from saegim.encryption.cipher import Cipher
from saegim.memory import record_rows
from saegim.memory.redaction import quoted_in
from saegim.memory.types import Origin, Record

_ENDS = " .!?~…。！？"


@dataclass(slots=True)
class OutdatedStatements(turn_rows.OwnedRows):
    """Marks the turns of one user whose statements were corrected or replaced."""

    cipher: Cipher

    async def follow(self, rows: Iterable[Row]) -> None:
        """Update the marks on the source turns of records."""
        for row in rows:
            record = record_rows.read(row, self.cipher)
            fate = None if row["forgotten_at"] is not None else await self._fate(row, record)
            for turn_row in await self._source_turns(row, record):
                await self._mark(turn_row, record, fate)

    async def _fate(self, row: Row, record: Record) -> StatementFate | None:
        if row["ended_at"] is not None:
            return StatementFate.REPLACED
        if record.origin is not Origin.PERSON or record.version == 1:
            return None
        versions = await self.all("list_memory_versions", memory=record.id)
        first = record_rows.read_version(versions[-1], self.cipher)
        return StatementFate.CORRECTED if first.statement.content != record.content else None

    async def _source_turns(self, row: Row, record: Record) -> Sequence[Row]:
        """Return the source turns of a record that are not sources of its successor."""
        sources = set(record.sources)
        successor: UUID | None = row["superseded_by"]
        if successor is not None:
            later = await self.one("find_memory", memory=successor)
            sources -= set(later["sources"]) if later else set()
        return await self.all("lock_turns", turns=sorted(sources)) if sources else []

    async def _mark(self, row: Row, record: Record, fate: StatementFate | None) -> None:
        turn = turn_rows.read(row, self.cipher)
        notes: dict[str, Any] = dict(row["outdated"] or {})
        notes.pop(str(record.id), None)
        if fate is not None:
            # Before the final punctuation, so that the note stays in its sentence.
            quoted = quoted_in(record.quote.rstrip(_ENDS), turn).message
            notes[str(record.id)] = [quoted[0][1] if quoted else len(turn.message), fate]
        if notes != (row["outdated"] or {}):
            outdated = Jsonb(notes) if notes else None
            await self.run("mark_outdated", turn=turn.id, outdated=outdated)
