"""Forget what a turn said: its records, its part in others, and its episodes."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from saegim.domain.scope import Scope
from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.extraction.repository import ExtractionSourceStore
from saegim.memory.repository import PostgresRecords
from saegim.memory.types import Action, ChangeReason, Record, Revise, Version, text_of


@dataclass(frozen=True, slots=True)
class _Earlier:
    """The version of a record before a turn changed it, and the versions that the turn wrote."""

    change: Revise
    dropped: list[int]


@dataclass(frozen=True, eq=False)
class TurnRetraction:
    sources: ExtractionSourceStore
    records: PostgresRecords
    embedder: MemoryEmbedder

    async def take_back(
        self, scope: Scope, turn: UUID, because: ChangeReason, *, redact: bool = False
    ) -> int:
        """Forget the records that come from a turn alone, and exclude it; return their number.

        Records that have other sources lose this one, and what the turn added to them. `redact`:
        the words of the forgotten ones leave turns, summaries and entities too.
        """
        derived = await self.sources.records_of_turn(scope, turn)
        others = [record for record in derived if record.sources != (turn,)]
        earlier = await self._earlier(scope, turn, others)
        async with self.records.redacting(scope, because) as (writer, redactor):
            for record, before in earlier.items():
                if await writer.find(record) is not None:
                    await writer.revise(before.change, Action.ROLL_BACK)
                    await writer.run("drop_memory_versions", memory=record, versions=before.dropped)
            await writer.remove_source(turn)
            alone = await writer.all("memories_of_turns", turns=[turn])
            records = [row["memory_id"] for row in alone]
            forgotten = await writer.forget(records)
            if redact:
                await redactor.redact([*records, *writer.dependents])
        await self.sources.leave_out(scope, turn)
        await self.sources.drop_episodes(scope, turn)
        return forgotten

    async def _earlier(
        self, scope: Scope, turn: UUID, records: list[Record]
    ) -> Mapping[UUID, _Earlier]:
        """Return what the records were before the turn revised them."""
        at = await self.sources.extracted_at(turn, scope)
        found: dict[UUID, _Earlier] = {}
        for record in records:
            versions = await self.records.versions(scope, record.id)
            written = [each.number for each in versions if each.at == at and each.number > 1]
            before = [each for each in versions if each.number not in written]
            if before and versions[0].number in written:
                found[record.id] = _Earlier(await self._revise(scope, record, before[0]), written)
        return found

    async def _revise(self, scope: Scope, record: Record, before: Version) -> Revise:
        statement = before.statement
        texts = [text_of(statement.content, statement.topic)]
        [searchable] = await self.embedder.searchables(scope.tenant, texts)
        return Revise(record.id, statement, searchable, before.origin)
