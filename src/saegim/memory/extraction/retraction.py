"""Forget what a turn said: its records, its part in others, and its episodes."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from saegim.domain.scope import Scope
from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.extraction.repository import ExtractionSourceStore
from saegim.memory.record_writer import RecordWriter
from saegim.memory.repository import PostgresRecords
from saegim.memory.types import Action, ChangeReason, Revise


@dataclass(frozen=True, slots=True)
class EarlierVersion:
    """The version of a record before a turn changed it, and the versions that the turn wrote."""

    change: Revise
    dropped: list[int]


@dataclass(frozen=True, eq=False)
class TurnRetraction:
    sources: ExtractionSourceStore
    records: PostgresRecords
    embedder: MemoryEmbedder

    async def take_back(self, scope: Scope, turn: UUID, because: ChangeReason) -> int:
        """Forget the records that come from a turn alone, and exclude it; return their number.

        Records that have other sources lose this one, and what the turn added to them.
        """
        earlier = await self.earlier(scope, turn)
        async with self.records.writing(scope, because) as writer:
            return len(await self.take_back_on(writer, turn, earlier))

    async def take_back_on(
        self, writer: RecordWriter, turn: UUID, earlier: Mapping[UUID, EarlierVersion]
    ) -> list[UUID]:
        """Do as `take_back` in an open transaction; return the records to redact."""
        for record, before in earlier.items():
            if await writer.find(record) is not None:
                await writer.revise(before.change, Action.ROLL_BACK)
                await writer.run("drop_memory_versions", memory=record, versions=before.dropped)
        await writer.remove_source(turn)
        records = [row["memory_id"] for row in await writer.all("memories_of_turns", turns=[turn])]
        await writer.forget(records)
        await self.sources.leave_out(writer, turn)
        return records

    async def earlier(self, scope: Scope, turn: UUID) -> Mapping[UUID, EarlierVersion]:
        """Return what the records with other sources were before the turn revised them."""
        derived = await self.sources.records_of(scope, [turn])
        at = await self.sources.extracted_at(turn, scope)
        found: dict[UUID, EarlierVersion] = {}
        for record in (each for each in derived if each.sources != (turn,)):
            versions = await self.records.versions(scope, record.id)
            written = [each.number for each in versions if each.at == at and each.number > 1]
            before = [each for each in versions if each.number not in written]
            if before and versions[0].number in written:
                statement = before[0].statement
                [searchable] = await self.embedder.searchables_of(scope.tenant, [statement])
                revise = Revise(record.id, statement, searchable, before[0].origin)
                found[record.id] = EarlierVersion(revise, written)
        return found
