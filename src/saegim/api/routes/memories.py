"""Memories of the caller: list, correct, pin, delete, export, import and recall."""

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
from saegim.api.views import view_of
from saegim.domain.scope import Caller
from saegim.memory.recall.types import RecallLimits, RecallRequest
from saegim.memory.types import Actor, ChangeReason, Filters, MemoryType, RecordQuery

router = APIRouter(prefix="/v1", tags=["memory"])

MOST_DIGESTS = 10
PERSON = ChangeReason(Actor.PERSON)
Year = Annotated[int, Query(ge=1970, le=9998)]


class BrowseQuery(BaseModel):
    """Filters of the list. All `words` must match; `as_of` lists memories as they were at a
    time."""

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
    """Lists the caller's memories, newest first."""
    records = await services.memory.records.browse(caller.scope, query.listing(caller))
    last = records[-1].id if len(records) == query.count else None
    return MemoryPage(memories=[MemoryView.of(record) for record in records], next_before=last)


@router.post("/memories", status_code=201)
async def add(body: NewMemoryBody, services: ServicesDep, caller: CallerDep) -> MemoryView:
    """Adds a memory."""
    services.governance.retention.check(body.retention)
    added = await services.memory.memories.add(
        caller.scope, body.content, body.type, body.topic, body.retention
    )
    return MemoryView.of(added)


@router.post("/memories/consolidate")
async def consolidate(services: ServicesDep, caller: CallerDep) -> ConsolidatedView:
    """Summarises old memories into up to ten digests now. A weekly job does the rest."""
    tenant, profile = caller.scope.tenant, caller.scope.profile
    digests = await services.memory.consolidation.consolidate(tenant, profile, MOST_DIGESTS)
    return ConsolidatedView(digests=digests)


@router.get("/memories/timeline")
async def timeline(services: ServicesDep, caller: CallerDep) -> list[MonthView]:
    """Returns the number of memories by month, newest first, in the caller's time zone."""
    months = await services.memory.records.timeline(caller.scope, caller.time_zone)
    return [view_of(MonthView, month) for month in months]


@router.get("/memories/export")
async def export(services: ServicesDep, caller: CallerDep) -> ExportView:
    """Exports all memories."""
    return ExportView.of(await services.memory.memories.export(caller.scope))


@router.post("/memories/import", status_code=202)
async def import_memories(body: ImportBody, services: ServicesDep, caller: CallerDep) -> ImportView:
    """Queues an import of exported memories. Duplicates are imported once."""
    return ImportView.of(await services.memory.imports.open(caller.scope, body.records()))


@router.get("/memories/imports/{import_id}")
async def read_import(import_id: UUID, services: ServicesDep, caller: CallerDep) -> ImportView:
    """Returns the progress of an import."""
    return ImportView.of(await services.memory.imports.find(caller.scope, import_id))


@router.get("/memories/{memory_id}")
async def read(
    memory_id: UUID, tag: TagDep, services: ServicesDep, caller: CallerDep
) -> MemoryView:
    """Returns a memory, even if it is superseded."""
    record = await services.memory.records.get(caller.scope, memory_id)
    tag.name(record)
    return MemoryView.of(record)


@router.patch("/memories/{memory_id}")
async def correct(
    memory_id: UUID,
    body: CorrectionBody,
    tag: TagDep,
    services: ServicesDep,
    caller: CallerDep,
    seen: ExpectedVersionDep = None,
) -> MemoryView:
    """Corrects a memory by adding a new version."""
    reason = ChangeReason(Actor.PERSON, body.reason)
    corrected = await services.memory.memories.correct(
        caller.scope, memory_id, body.correction(), reason, seen
    )
    tag.name(corrected)
    return MemoryView.of(corrected)


@router.put("/memories/{memory_id}/pin")
async def pin(
    memory_id: UUID, body: PinBody, services: ServicesDep, caller: CallerDep
) -> MemoryView:
    """Pins a memory to every context, or unpins it."""
    return MemoryView.of(
        await services.memory.records.pin(caller.scope, memory_id, body.pinned, PERSON)
    )


@router.put("/memories/{memory_id}/retention")
async def retain(
    memory_id: UUID, body: RetentionBody, services: ServicesDep, caller: CallerDep
) -> MemoryView:
    """Sets the retention of a memory to one of the configured labels."""
    services.governance.retention.check(body.label)
    return MemoryView.of(
        await services.memory.records.retain(caller.scope, memory_id, body.label, PERSON)
    )


@router.get("/memories/{memory_id}/sources")
async def digest_sources(
    memory_id: UUID, services: ServicesDep, caller: CallerDep
) -> list[MemoryView]:
    """Lists the memories that a digest summarises, oldest first."""
    records = await services.memory.records.records_of_digest(caller.scope, memory_id)
    return [MemoryView.of(record) for record in records]


@router.delete("/memories/{memory_id}", status_code=204)
async def forget(memory_id: UUID, services: ServicesDep, caller: CallerDep) -> None:
    """Deletes a memory, and redacts its wording from the turns that models see. It can be restored
    for a while. Deleting a digest makes the memories that it summarises available again."""
    await services.memory.records.get(caller.scope, memory_id)
    await services.memory.records.forget_said(caller.scope, [memory_id], PERSON)


@router.post("/memories/{memory_id}/undo")
async def undo(memory_id: UUID, services: ServicesDep, caller: CallerDep) -> MemoryView:
    """Restores a deleted memory."""
    return MemoryView.of(await services.memory.records.undo(caller.scope, memory_id, PERSON))


@router.get("/memories/{memory_id}/versions")
async def versions(
    memory_id: UUID, services: ServicesDep, caller: CallerDep
) -> list[MemoryVersionView]:
    """Lists all versions of a memory, newest first."""
    history = await services.memory.records.versions(caller.scope, memory_id)
    return [MemoryVersionView.of(version) for version in history]


@router.post("/memories/{memory_id}/rollback")
async def roll_back(
    memory_id: UUID,
    body: MemoryRollbackBody,
    tag: TagDep,
    services: ServicesDep,
    caller: CallerDep,
    seen: ExpectedVersionDep = None,
) -> MemoryView:
    """Restores an earlier version of a memory as its newest version."""
    record = await services.memory.memories.roll_back(
        caller.scope, memory_id, body.version, PERSON, seen
    )
    tag.name(record)
    return MemoryView.of(record)


@router.get("/memories/{memory_id}/trail")
async def trail(memory_id: UUID, services: ServicesDep, caller: CallerDep) -> list[MemoryEventView]:
    """Lists the changes to a memory, newest first: action, actor, time and reason."""
    await services.memory.records.get(caller.scope, memory_id)
    events = await services.memory.records.trail(caller.scope, memory_id, 200)
    return [view_of(MemoryEventView, event) for event in events]


@router.post("/recall")
async def recall(body: RecallBody, services: ServicesDep, caller: CallerDep) -> RecollectionView:
    """Returns the memories that are relevant to a message: pinned memories, records and episodes,
    with their scores."""
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
