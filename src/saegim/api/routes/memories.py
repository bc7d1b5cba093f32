"""Memories of the caller: list, correct, pin, delete, export, import and recall."""

from datetime import UTC, datetime
from typing import Annotated, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query
from pydantic import BaseModel

from saegim.api.caller import CallDep
from saegim.api.etags import ExpectedVersionDep, TagDep
from saegim.api.schemas.memory import (
    ConsolidatedView,
    CorrectionBody,
    ExportView,
    ForgottenBatchView,
    ImportBody,
    ImportView,
    MemoryCountsView,
    MemoryEventView,
    MemoryIds,
    MemoryPage,
    MemoryRollbackBody,
    MemoryVersionView,
    MemoryView,
    MonthView,
    NewMemoryBody,
    PinBody,
    RecallBody,
    RecollectionView,
    RestoredView,
    RetentionBody,
    UndoBody,
)
from saegim.api.views import Moment
from saegim.domain.scope import Caller
from saegim.memory.recall.types import RecallLimits, RecallRequest
from saegim.memory.types import Actor, ChangeReason, Filters, MemoryType, RecordQuery, RecordSort

router = APIRouter(prefix="/v1", tags=["memory"])

MOST_DIGESTS = 10
PERSON = ChangeReason(Actor.PERSON)
Year = Annotated[int, Query(ge=1970, le=9998)]


class BrowseQuery(BaseModel):
    """Filters of the list. All words of `q` must match; `as_of` lists memories as they were at a
    time; `month` is in the caller's time zone; `to_review` lists memories that rules saved up to
    0.15.4, until they are kept, pinned or deleted."""

    q: Annotated[str, Query(max_length=500)] = ""
    sort: RecordSort = "newest"
    month: Annotated[
        str | None, Query(pattern=r"^(19[7-9]\d|[2-8]\d{3})-(0[1-9]|1[0-2])$", examples=["2026-11"])
    ] = None
    pinned: bool | None = None
    from_year: Year | None = None
    to_year: Year | None = None
    type: Annotated[list[MemoryType], Query(max_length=8)] = []
    as_of: Moment | None = None
    state: Literal["current", "forgotten", "to_review"] = "current"
    before: UUID | None = None
    count: Annotated[int, Query(ge=1, le=200)] = 50

    def listing(self, caller: Caller) -> RecordQuery:
        zone = ZoneInfo(caller.time_zone)
        since = _new_year(self.from_year, zone)
        until = _new_year(None if self.to_year is None else self.to_year + 1, zone)
        if self.month is not None:
            year, month = map(int, self.month.split("-"))
            since = datetime(year, month, 1, tzinfo=zone).astimezone(UTC)
            until = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=zone).astimezone(UTC)
        return RecordQuery(
            words=self.q,
            filters=Filters(types=frozenset(self.type), said_from=since, said_until=until),
            as_of=self.as_of,
            forgotten=self.state == "forgotten",
            to_review=self.state == "to_review",
            pinned=self.pinned,
            sort=self.sort,
            before=self.before,
            count=self.count,
        )


def _new_year(year: int | None, zone: ZoneInfo) -> datetime | None:
    return None if year is None else datetime(year, 1, 1, tzinfo=zone).astimezone(UTC)


@router.get("/memories")
async def browse(query: Annotated[BrowseQuery, Query()], call: CallDep) -> MemoryPage:
    """Lists the caller's memories, newest first unless `sort` is given."""
    records = await call.services.memory.records.browse(call.scope, query.listing(call.caller))
    last = records[-1].id if len(records) == query.count else None
    return MemoryPage(memories=MemoryView.each(records), next_before=last)


@router.post("/memories", status_code=201)
async def add(body: NewMemoryBody, call: CallDep) -> MemoryView:
    """Adds a memory."""
    call.services.governance.retention.check(body.retention)
    added = await call.services.memory.memories.add(
        call.scope, body.content, body.type, body.topic, body.retention
    )
    return MemoryView.of(added)


@router.post("/memories/consolidate")
async def consolidate(call: CallDep) -> ConsolidatedView:
    """Summarises old memories into up to ten digests now. A weekly job does the rest."""
    tenant, profile = call.tenant, call.scope.profile
    digests = await call.services.memory.consolidation.consolidate(tenant, profile, MOST_DIGESTS)
    return ConsolidatedView(digests=digests)


@router.get("/memories/timeline")
async def timeline(call: CallDep) -> list[MonthView]:
    """Returns the number of memories by month, newest first, in the caller's time zone."""
    months = await call.services.memory.records.timeline(call.scope, call.caller.time_zone)
    return MonthView.each(months)


@router.get("/memories/counts")
async def counts(call: CallDep) -> MemoryCountsView:
    """Returns the number of memories: in all, of each type, pinned, to review, and forgotten."""
    return MemoryCountsView.of(await call.services.memory.records.counts(call.scope))


@router.post("/memories/forget")
async def forget_several(body: MemoryIds, call: CallDep) -> ForgottenBatchView:
    """Deletes memories as one by one. `POST /v1/memories/undo` with `batch` restores them."""
    records = call.services.memory.records
    return ForgottenBatchView.of(await records.forget_together(call.scope, body.memory_ids, PERSON))


@router.post("/memories/forget-all")
async def forget_all(call: CallDep) -> ForgottenBatchView:
    """Deletes all memories of the caller. `POST /v1/memories/undo` with `batch` restores them."""
    records = call.services.memory.records
    return ForgottenBatchView.of(await records.forget_together(call.scope, None, PERSON))


@router.post("/memories/undo")
async def undo_several(body: UndoBody, call: CallDep) -> RestoredView:
    """Restores deleted memories: those of a batch, or the given ones."""
    records = call.services.memory.records
    restored = await records.undo_together(call.scope, body.memory_ids or body.batch, PERSON)
    return RestoredView(restored=restored)


@router.get("/memories/export")
async def export(call: CallDep) -> ExportView:
    """Exports all memories."""
    return ExportView.of(await call.services.memory.memories.export(call.scope))


@router.post("/memories/import", status_code=202)
async def import_memories(body: ImportBody, call: CallDep) -> ImportView:
    """Queues an import of exported memories. Duplicates are imported once."""
    return ImportView.of(await call.services.memory.imports.open(call.scope, body.records()))


@router.get("/memories/imports/{import_id}")
async def read_import(import_id: UUID, call: CallDep) -> ImportView:
    """Returns the progress of an import."""
    return ImportView.of(await call.services.memory.imports.find(call.scope, import_id))


@router.get("/memories/{memory_id}")
async def read(memory_id: UUID, tag: TagDep, call: CallDep) -> MemoryView:
    """Returns a memory, even if it is superseded."""
    record = await call.services.memory.records.get(call.scope, memory_id)
    tag.name(record)
    return MemoryView.of(record)


@router.patch("/memories/{memory_id}")
async def correct(
    memory_id: UUID,
    body: CorrectionBody,
    tag: TagDep,
    call: CallDep,
    seen: ExpectedVersionDep = None,
) -> MemoryView:
    """Corrects a memory by adding a new version. Without changes, a memory that rules saved is
    kept: it becomes the caller's own."""
    reason = ChangeReason(Actor.PERSON, body.reason)
    corrected = await call.services.memory.memories.correct(
        call.scope, memory_id, body.correction(), reason, seen
    )
    tag.name(corrected)
    return MemoryView.of(corrected)


@router.put("/memories/{memory_id}/pin")
async def pin(memory_id: UUID, body: PinBody, call: CallDep) -> MemoryView:
    """Pins a memory to every context, or unpins it."""
    return MemoryView.of(
        await call.services.memory.records.pin(call.scope, memory_id, body.pinned, PERSON)
    )


@router.post("/memories/{memory_id}/confirm")
async def confirm(memory_id: UUID, call: CallDep) -> MemoryView:
    """Confirms an unsure memory: it still holds, although something that it rests on changed."""
    return MemoryView.of(
        await call.services.memory.confirmations.confirm(call.scope, memory_id, PERSON)
    )


@router.put("/memories/{memory_id}/retention")
async def retain(memory_id: UUID, body: RetentionBody, call: CallDep) -> MemoryView:
    """Sets the retention of a memory to one of the configured labels."""
    call.services.governance.retention.check(body.label)
    return MemoryView.of(
        await call.services.memory.records.retain(call.scope, memory_id, body.label, PERSON)
    )


@router.get("/memories/{memory_id}/sources")
async def digest_sources(memory_id: UUID, call: CallDep) -> list[MemoryView]:
    """Lists the memories that a digest summarises, oldest first."""
    records = await call.services.memory.records.records_of_digest(call.scope, memory_id)
    return MemoryView.each(records)


@router.delete("/memories/{memory_id}", status_code=204)
async def forget(memory_id: UUID, call: CallDep) -> None:
    """Deletes a memory, and redacts its wording from the turns that models see. It can be restored
    for a while. Deleting a digest makes the memories that it summarises available again."""
    await call.services.memory.records.get(call.scope, memory_id)
    await call.services.memory.records.forget_said(call.scope, [memory_id], PERSON)


@router.post("/memories/{memory_id}/undo")
async def undo(memory_id: UUID, call: CallDep) -> MemoryView:
    """Restores a deleted memory."""
    return MemoryView.of(await call.services.memory.records.undo(call.scope, memory_id, PERSON))


@router.get("/memories/{memory_id}/versions")
async def versions(memory_id: UUID, call: CallDep) -> list[MemoryVersionView]:
    """Lists all versions of a memory, newest first."""
    history = await call.services.memory.records.versions(call.scope, memory_id)
    return [
        MemoryVersionView.of(version, version.statement, version=version.number)
        for version in history
    ]


@router.post("/memories/{memory_id}/rollback")
async def roll_back(
    memory_id: UUID,
    body: MemoryRollbackBody,
    tag: TagDep,
    call: CallDep,
    seen: ExpectedVersionDep = None,
) -> MemoryView:
    """Restores an earlier version of a memory as its newest version."""
    record = await call.services.memory.memories.roll_back(
        call.scope, memory_id, body.version, PERSON, seen
    )
    tag.name(record)
    return MemoryView.of(record)


@router.get("/memories/{memory_id}/trail")
async def trail(memory_id: UUID, call: CallDep) -> list[MemoryEventView]:
    """Lists the changes to a memory, newest first: action, actor, time and reason."""
    await call.services.memory.records.get(call.scope, memory_id)
    events = await call.services.memory.records.trail(call.scope, memory_id, 200)
    return MemoryEventView.each(events)


@router.post("/recall")
async def recall(body: RecallBody, call: CallDep) -> RecollectionView:
    """Returns the memories that are relevant to a message: pinned memories, records and episodes,
    with their scores."""
    request = RecallRequest(
        scope=call.scope,
        message=body.message,
        now=call.services.clock.now(),
        time_zone=call.caller.time_zone,
        chosen=tuple(body.chosen),
        filters=Filters(types=frozenset(body.types)),
        as_of=body.as_of,
        limits=RecallLimits(tokens=body.tokens, count=body.count),
    )
    return RecollectionView.of(await call.services.memory.recall.recall(request))
