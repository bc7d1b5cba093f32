"""Memory in the hands of the person it is about: add, correct, roll back, take along (LM6-LM9)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from saegim.domain.errors import NotFound
from saegim.domain.etags import ExpectedVersion
from saegim.domain.ids import Clock
from saegim.domain.scope import Scope
from saegim.memory.candidate import ContactMasking, masked
from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.repository import PostgresRecords
from saegim.memory.search_text import text_of
from saegim.memory.types import (
    Actor,
    ChangeReason,
    MemoryType,
    NewRecord,
    Origin,
    Record,
    RecordQuery,
    Revise,
    Searchable,
    Statement,
)

PAGE = 500
WRITTEN_IMPORTANCE = 0.7


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person changes of a record; None leaves it."""

    content: str | None = None
    type: MemoryType | None = None
    topic: str | None = None
    importance: float | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class PortableRecord:
    """A record on its way from one memory to another."""

    statement: Statement
    said_at: datetime
    sources: tuple[UUID, ...]
    quote: str
    pinned: bool
    retention: str | None = None


class Memories:
    def __init__(
        self,
        records: PostgresRecords,
        embedder: MemoryEmbedder,
        clock: Clock,
        masking: ContactMasking = ContactMasking(),  # noqa: B008 - frozen
    ) -> None:
        self._records = records
        self._embedder = embedder
        self._clock = clock
        self._masking = masking

    async def add(
        self,
        scope: Scope,
        content: str,
        type: MemoryType,  # noqa: A002 - the record's word
        topic: str,
        retention: str | None = None,
    ) -> Record:
        """Remembers what a person writes down; masked like all that is remembered."""
        contacts = self._masking.contacts(scope.tenant)
        written, kinds = masked(content, contacts)
        about, _ = masked(topic, contacts)
        statement = Statement(type, written, WRITTEN_IMPORTANCE, topic=about, pii=kinds)
        now = self._clock.now()
        [searchable] = await self._searchable(scope, [statement])
        new = NewRecord(statement, now, (), "", Origin.PERSON, searchable, retention=retention)
        return await self._records.add(scope, new, ChangeReason(Actor.PERSON))

    async def correct(
        self,
        scope: Scope,
        record: UUID,
        correction: Correction,
        because: ChangeReason,
        seen: ExpectedVersion | None = None,
    ) -> Record:
        """A new version as the person says it is. Raises Changed where another was seen."""
        known = await self._records.get(scope, record)
        if seen is not None:
            seen.require(known)
            # The rest of the new version is taken from this one: it must be there still.
            seen = ExpectedVersion.of(known)
        given = {
            name: value
            for name in ("type", "importance", "valid_from", "valid_to")
            if (value := getattr(correction, name)) is not None
        }
        contacts = self._masking.contacts(scope.tenant)
        if correction.content is not None:
            given["content"], given["pii"] = masked(correction.content, contacts)
        if correction.topic is not None:
            given["topic"], _ = masked(correction.topic, contacts)
        statement = replace(statement_of(known), **given)
        [searchable] = await self._searchable(scope, [statement])
        change = Revise(record, statement, searchable, Origin.PERSON, seen=seen)
        return await self._records.revise(scope, change, because)

    async def roll_back(
        self,
        scope: Scope,
        record: UUID,
        version: int,
        because: ChangeReason,
        seen: ExpectedVersion | None = None,
    ) -> Record:
        """An earlier version, made the newest one. Raises Changed where another record was
        seen."""
        versions = await self._records.versions(scope, record)
        then = next((each for each in versions if each.number == version), None)
        if then is None:
            raise NotFound("version")
        [searchable] = await self._searchable(scope, [then.statement])
        change = Revise(record, then.statement, searchable, then.origin, seen=seen)
        return await self._records.roll_back(scope, change, because)

    async def export(self, scope: Scope) -> list[Record]:
        """Everything that holds now, oldest first."""
        found: list[Record] = []
        page = await self._records.browse(scope, RecordQuery(count=PAGE))
        while page:
            # A digest is made of the others: it is not taken along.
            found += [record for record in page if not record.is_digest]
            page = await self._records.browse(scope, RecordQuery(before=page[-1].id, count=PAGE))
        return found[::-1]

    async def take_in(self, scope: Scope, carried: Sequence[PortableRecord]) -> list[Record]:
        """Remembers what was exported; what is there already stays as it is."""
        clean = [_clean(each, self._masking.contacts(scope.tenant)) for each in carried]
        searchables = await self._searchable(scope, [each.statement for each in clean])
        because = ChangeReason(Actor.PERSON, "import")
        return [
            await self._records.add(
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

    async def _searchable(self, scope: Scope, statements: Sequence[Statement]) -> list[Searchable]:
        said = [text_of(each.content, each.topic) for each in statements]
        return await self._embedder.searchables(scope.tenant, said)


def statement_of(record: Record) -> Statement:
    """What a record says now."""
    return Statement(
        type=record.type,
        content=record.content,
        importance=record.importance,
        valid_from=record.valid_from,
        valid_to=record.valid_to,
        topic=record.topic,
        tags=record.tags,
        pii=record.pii,
    )


def _clean(carried: PortableRecord, contacts: bool) -> PortableRecord:
    content, kinds = masked(carried.statement.content, contacts)
    topic, _ = masked(carried.statement.topic, contacts)
    quote, _ = masked(carried.quote, contacts)
    statement = replace(carried.statement, content=content, topic=topic, pii=kinds)
    return replace(carried, statement=statement, quote=quote)
