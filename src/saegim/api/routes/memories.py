"""What is remembered, for the person it is about: read, correct, pin, forget, take along."""

from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query
from pydantic import BaseModel

from saegim.api.caller import CallerDep, ServicesDep
from saegim.api.etags import ExpectedVersionDep, TagDep
from saegim.api.schemas.memory import (
    ConsolidatedView,
    CorrectionBody,
    ExportView,
    ImportBody,
    ImportView,
    MemoryEventView,
    MemoryPage,
    MemoryRollbackBody,
    MemoryVersionView,
    MemoryView,
    MonthView,
    NewMemoryBody,
    PinBody,
    RecallBody,
    RecollectionView,
    RetentionBody,
)
from saegim.api.timestamps import Moment
from saegim.domain.scope import Caller
from saegim.memory.recall.types import RecallLimits, RecallRequest
from saegim.memory.types import Actor, ChangeReason, Filters, MemoryType, RecordQuery

router = APIRouter(prefix="/v1", tags=["memory"])

MOST_DIGESTS = 10
PERSON = ChangeReason(Actor.PERSON)
Year = Annotated[int, Query(ge=1970, le=9998)]


class BrowseQuery(BaseModel):
    """What to list: words that must all be there, years, types; as known at a time."""

    words: Annotated[str, Query(max_length=500)] = ""
    from_year: Year | None = None
    to_year: Year | None = None
    type: Annotated[list[MemoryType], Query(max_length=8)] = []
    as_of: Moment | None = None
    forgotten: bool = False
    before: UUID | None = None
    count: Annotated[int, Query(ge=1, le=200)] = 50

    def listing(self, caller: Caller) -> RecordQuery:
        zone = ZoneInfo(caller.time_zone)
        return RecordQuery(
            words=self.words,
            filters=Filters(
                types=frozenset(self.type),
                said_from=_new_year(self.from_year, zone),
                said_until=_new_year(None if self.to_year is None else self.to_year + 1, zone),
            ),
            as_of=self.as_of,
            forgotten=self.forgotten,
            before=self.before,
            count=self.count,
        )


def _new_year(year: int | None, zone: ZoneInfo) -> datetime | None:
    return None if year is None else datetime(year, 1, 1, tzinfo=zone).astimezone(UTC)


@router.get("/memories")
async def browse(
    query: Annotated[BrowseQuery, Query()], services: ServicesDep, caller: CallerDep
) -> MemoryPage:
    """The caller's records, newest first."""
    found = await services.memory.records.browse(caller.scope, query.listing(caller))
    last = found[-1].id if len(found) == query.count else None
    return MemoryPage(memories=[MemoryView.of(record) for record in found], next_before=last)


@router.post("/memories", status_code=201)
async def add(body: NewMemoryBody, services: ServicesDep, caller: CallerDep) -> MemoryView:
    """Remembers what the caller writes down."""
    services.governance.retention.check(body.retention)
    added = await services.memory.memories.add(
        caller.scope, body.content, body.type, body.topic, body.retention
    )
    return MemoryView.of(added)


@router.post("/memories/consolidate")
async def consolidate(services: ServicesDep, caller: CallerDep) -> ConsolidatedView:
    """Makes digests of the caller's old records now, at most ten; the rest follow weekly."""
    scope = caller.scope
    made = await services.memory.consolidation.consolidate(
        scope.tenant, scope.profile, MOST_DIGESTS
    )
    return ConsolidatedView(digests=made)


@router.get("/memories/timeline")
async def timeline(services: ServicesDep, caller: CallerDep) -> list[MonthView]:
    """How many records each month has, newest first, where the caller lives."""
    months = await services.memory.records.timeline(caller.scope, caller.time_zone)
    return [MonthView(year=each.year, month=each.month, records=each.records) for each in months]


@router.get("/memories/export")
async def export(services: ServicesDep, caller: CallerDep) -> ExportView:
    """Everything that is remembered, to take along."""
    return ExportView.of(await services.memory.memories.export(caller.scope))


@router.post("/memories/import", status_code=202)
async def take_in(body: ImportBody, services: ServicesDep, caller: CallerDep) -> ImportView:
    """Queues memories that were exported, here or elsewhere; the same ones twice are once."""
    return ImportView.of(await services.memory.imports.open(caller.scope, body.carried()))


@router.get("/memories/imports/{import_id}")
async def read_import(import_id: UUID, services: ServicesDep, caller: CallerDep) -> ImportView:
    """How far an import is."""
    return ImportView.of(await services.memory.imports.find(caller.scope, import_id))


@router.get("/memories/{memory_id}")
async def read(
    memory_id: UUID, tag: TagDep, services: ServicesDep, caller: CallerDep
) -> MemoryView:
    """One record, superseded or not; its ETag goes into `If-Match` of a correction."""
    found = await services.memory.records.get(caller.scope, memory_id)
    tag.name(found)
    return MemoryView.of(found)


@router.patch("/memories/{memory_id}")
async def correct(
    memory_id: UUID,
    body: CorrectionBody,
    tag: TagDep,
    services: ServicesDep,
    caller: CallerDep,
    seen: ExpectedVersionDep = None,
) -> MemoryView:
    """Corrects a record: a new version."""
    because = ChangeReason(Actor.PERSON, body.reason)
    corrected = await services.memory.memories.correct(
        caller.scope, memory_id, body.correction(), because, seen
    )
    tag.name(corrected)
    return MemoryView.of(corrected)


@router.put("/memories/{memory_id}/pin")
async def pin(
    memory_id: UUID, body: PinBody, services: ServicesDep, caller: CallerDep
) -> MemoryView:
    """Puts a record into every context, or no longer."""
    return MemoryView.of(
        await services.memory.records.pin(caller.scope, memory_id, body.pinned, PERSON)
    )


@router.put("/memories/{memory_id}/retention")
async def retain(
    memory_id: UUID, body: RetentionBody, services: ServicesDep, caller: CallerDep
) -> MemoryView:
    """Sets how long a record is kept, by one of the configured labels."""
    services.governance.retention.check(body.label)
    return MemoryView.of(
        await services.memory.records.retain(caller.scope, memory_id, body.label, PERSON)
    )


@router.get("/memories/{memory_id}/sources")
async def digest_sources(
    memory_id: UUID, services: ServicesDep, caller: CallerDep
) -> list[MemoryView]:
    """The records that a digest tells, oldest first."""
    found = await services.memory.records.records_of_digest(caller.scope, memory_id)
    return [MemoryView.of(record) for record in found]


@router.delete("/memories/{memory_id}", status_code=204)
async def forget(memory_id: UUID, services: ServicesDep, caller: CallerDep) -> None:
    """Forgets a record, and what was said of it in no model's hands any more; it can be brought
    back for a while. Forgetting a digest undoes it: its sources are recalled fully again."""
    await services.memory.records.get(caller.scope, memory_id)
    await services.memory.records.forget_said(caller.scope, [memory_id], PERSON)


@router.post("/memories/{memory_id}/undo")
async def undo(memory_id: UUID, services: ServicesDep, caller: CallerDep) -> MemoryView:
    """Brings a forgotten record back."""
    return MemoryView.of(await services.memory.records.undo(caller.scope, memory_id, PERSON))


@router.get("/memories/{memory_id}/versions")
async def versions(
    memory_id: UUID, services: ServicesDep, caller: CallerDep
) -> list[MemoryVersionView]:
    """All versions of a record, newest first."""
    found = await services.memory.records.versions(caller.scope, memory_id)
    return [MemoryVersionView.of(version) for version in found]


@router.post("/memories/{memory_id}/rollback")
async def roll_back(
    memory_id: UUID,
    body: MemoryRollbackBody,
    tag: TagDep,
    services: ServicesDep,
    caller: CallerDep,
    seen: ExpectedVersionDep = None,
) -> MemoryView:
    """Makes an earlier version the newest one."""
    rolled = await services.memory.memories.roll_back(
        caller.scope, memory_id, body.version, PERSON, seen
    )
    tag.name(rolled)
    return MemoryView.of(rolled)


@router.get("/memories/{memory_id}/trail")
async def trail(memory_id: UUID, services: ServicesDep, caller: CallerDep) -> list[MemoryEventView]:
    """Who did what to a record, when and why, newest first."""
    await services.memory.records.get(caller.scope, memory_id)
    found = await services.memory.records.trail(caller.scope, memory_id, 200)
    return [MemoryEventView.of(event) for event in found]


@router.post("/recall")
async def recall(body: RecallBody, services: ServicesDep, caller: CallerDep) -> RecollectionView:
    """What memory has to a message: pinned facts, records, what was said; and why."""
    request = RecallRequest(
        scope=caller.scope,
        message=body.message,
        now=services.clock.now(),
        time_zone=caller.time_zone,
        chosen=tuple(body.chosen),
        filters=Filters(types=frozenset(body.types)),
        as_of=body.as_of,
        limits=RecallLimits(tokens=body.tokens, count=body.count),
    )
    return RecollectionView.of(await services.memory.recall.recall(request))
