"""Add, correct, roll back, export and import the memories of a user."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from uuid import UUID

from saegim.domain.errors import NotFound
from saegim.domain.etags import ExpectedVersion
from saegim.domain.ids import Clock
from saegim.domain.scope import Scope
from saegim.memory.candidate import ContactMasking, masked
from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.repository import PostgresRecords
from saegim.memory.types import (
    CORE,
    Actor,
    ChangeReason,
    MemoryType,
    NewRecord,
    Origin,
    Record,
    Revise,
    Statement,
)

WRITTEN_IMPORTANCE = 0.7


@dataclass(frozen=True, slots=True)
class Correction:
    """Changes to a record; None leaves a field unchanged."""

    content: str | None = None
    type: MemoryType | None = None
    topic: str | None = None
    importance: float | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class PortableRecord:
    """An exported record."""

    statement: Statement
    said_at: datetime
    sources: tuple[UUID, ...]
    quote: str
    pinned: bool
    retention: str | None = None


@dataclass(frozen=True, eq=False)
class Memories:
    records: PostgresRecords
    embedder: MemoryEmbedder
    clock: Clock
    masking: ContactMasking = ContactMasking()  # noqa: RUF009 - frozen

    async def add(
        self,
        scope: Scope,
        content: str,
        type: MemoryType,  # noqa: A002 - the record's word
        topic: str,
        retention: str | None = None,
    ) -> Record:
        """Store a memory that the user wrote, masked; a constraint is always in the context."""
        contacts = self.masking.contacts(scope.tenant)
        content, kinds = masked(content, contacts)
        topic, _ = masked(topic, contacts)
        tags = _tags_of(type)
        statement = Statement(type, content, WRITTEN_IMPORTANCE, topic=topic, tags=tags, pii=kinds)
        now = self.clock.now()
        [searchable] = await self.embedder.searchables_of(scope.tenant, [statement])
        new = NewRecord(statement, now, (), "", Origin.PERSON, searchable, retention=retention)
        return await self.records.add(scope, new, ChangeReason(Actor.PERSON))

    async def correct(
        self,
        scope: Scope,
        record: UUID,
        correction: Correction,
        because: ChangeReason,
        seen: ExpectedVersion | None = None,
    ) -> Record:
        """Store a corrected version. Raises Changed if the caller saw another version."""
        known = await self.records.get(scope, record)
        if seen is not None:
            seen.require(known)
            # The other fields come from this version, so it must still be current.
            seen = ExpectedVersion.of(known)
        changes = {name: value for name, value in asdict(correction).items() if value is not None}
        contacts = self.masking.contacts(scope.tenant)
        if correction.content is not None:
            changes["content"], changes["pii"] = masked(correction.content, contacts)
        if correction.topic is not None:
            changes["topic"], _ = masked(correction.topic, contacts)
        if known.to_review:
            # Old rules pinned passing wishes too.
            kind = changes.get("type", known.type)
            changes["tags"] = (known.tags - {CORE}) | _tags_of(kind)
        statement = replace(known.statement, **changes)
        [searchable] = await self.embedder.searchables_of(scope.tenant, [statement])
        change = Revise(record, statement, searchable, Origin.PERSON, seen=seen)
        return await self.records.revise(scope, change, because)

    async def roll_back(
        self,
        scope: Scope,
        record: UUID,
        version: int,
        because: ChangeReason,
        seen: ExpectedVersion | None = None,
    ) -> Record:
        """Store an earlier version as a new one. Raises NotFound, and Changed like `correct`."""
        versions = await self.records.versions(scope, record)
        earlier = next((each for each in versions if each.number == version), None)
        if earlier is None:
            raise NotFound("version")
        [searchable] = await self.embedder.searchables_of(scope.tenant, [earlier.statement])
        change = Revise(record, earlier.statement, searchable, earlier.origin, seen=seen)
        return await self.records.roll_back(scope, change, because)

    async def export(self, scope: Scope) -> list[Record]:
        """Return all valid records without digests, oldest first."""
        return (await self.records.browse_all(scope))[::-1]

    async def take_in(self, scope: Scope, imported: Sequence[PortableRecord]) -> list[Record]:
        """Store exported records; existing ones are unchanged."""
        clean = [_clean(each, self.masking.contacts(scope.tenant)) for each in imported]
        statements = (each.statement for each in clean)
        searchables = await self.embedder.searchables_of(scope.tenant, statements)
        because = ChangeReason(Actor.PERSON, "import")
        return [
            await self.records.add(
                scope,
                NewRecord(
                    statement=each.statement,
                    said_at=each.said_at,
                    sources=each.sources,
                    quote=each.quote,
                    origin=Origin.PERSON,
                    searchable=searchable,
                    pinned=each.pinned,
                    retention=each.retention,
                ),
                because,
            )
            for each, searchable in zip(clean, searchables, strict=True)
        ]


def _tags_of(kind: MemoryType) -> frozenset[str]:
    """Return the tags of what a person writes: what must be respected is always in the context."""
    return frozenset({CORE}) if kind is MemoryType.CONSTRAINT else frozenset()


def _clean(record: PortableRecord, contacts: bool) -> PortableRecord:
    content, kinds = masked(record.statement.content, contacts)
    topic, _ = masked(record.statement.topic, contacts)
    quote, _ = masked(record.quote, contacts)
    statement = replace(record.statement, content=content, topic=topic, pii=kinds)
    return replace(record, statement=statement, quote=quote)
