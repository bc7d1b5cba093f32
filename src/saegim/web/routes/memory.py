"""The pages of a user's memory."""

from typing import Annotated, Any, Literal
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Query, Response
from fastapi.responses import HTMLResponse
from pydantic import BaseModel

from saegim.api.etags import Tag, expected_version
from saegim.api.routes import members, memories as api, turn_memories
from saegim.api.routes.governance import erasure_view
from saegim.api.schemas.memory import CorrectionBody, MemoryRollbackBody, NewMemoryBody, PinBody
from saegim.memory.types import MemoryType
from saegim.web.auth import FormDep, checked
from saegim.web.rendering import PageDep, asked_for_part

router = APIRouter(prefix="/memory")

PAGE = 30


class MemoryFilterForm(BaseModel):
    """The filters of the list; empty ones do not filter."""

    words: Annotated[str, Query(max_length=500)] = ""
    type: MemoryType | Literal[""] = ""
    year: Annotated[str, Query(pattern=r"^((19[7-9]\d)|([2-8]\d{3}))?$")] = ""
    forgotten: str = ""
    before: UUID | None = None

    def query(self) -> api.BrowseQuery:
        year = int(self.year) if self.year else None
        return api.BrowseQuery(
            words=self.words,
            type=[self.type] if self.type else [],
            from_year=year,
            to_year=year,
            forgotten=bool(self.forgotten),
            before=self.before,
            count=PAGE,
        )

    def next_page(self, before: UUID | None) -> str | None:
        """Return the URL of the next page."""
        if before is None:
            return None
        return "/memory?" + urlencode(self.model_dump(exclude={"before"}) | {"before": before})


@router.get("")
async def show_memory(
    chosen: Annotated[MemoryFilterForm, Query()],
    page: PageDep,
) -> HTMLResponse:
    """Show the records, newest first, and the timeline."""
    memories = await api.browse(chosen.query(), page)
    listed: dict[str, Any] = {
        "page": memories,
        "more": chosen.next_page(memories.next_before),
        "further": chosen.before is not None,
        "forgotten": bool(chosen.forgotten),
    }
    if asked_for_part(page.request):
        return page.render("memory_list.html", **listed)
    months = await api.timeline(page)
    planned = await page.services.governance.erasures.planned(page.caller)
    return page.render(
        "memory.html",
        **listed,
        chosen=chosen,
        months=months,
        years=sorted({month.year for month in months}, reverse=True),
        most=max((month.records for month in months), default=1),
        types=list(MemoryType),
        consent=await turn_memories.read_consent(page),
        planned=None if planned is None else erasure_view(planned),
        profiles=await members.list_profiles(page),
    )


@router.post("")
async def add(page: PageDep, form: FormDep) -> HTMLResponse:
    body = checked(NewMemoryBody, content=form.get("content", ""), type=form.get("type") or "note")
    memory = await api.add(body, page)
    return page.render("memory_card.html", memory=memory)


@router.post("/consent")
async def switch(page: PageDep, form: FormDep) -> HTMLResponse:
    """Turn memory on or off."""
    body = turn_memories.ConsentBody(memory=form.get("memory") == "on")
    consent = await turn_memories.set_consent(body, page)
    return page.render("memory_consent.html", consent=consent)


@router.get("/{memory_id}")
async def show_one(memory_id: UUID, page: PageDep) -> HTMLResponse:
    memory = await api.read(memory_id, Tag(Response()), page)
    template = "memory_card.html" if asked_for_part(page.request) else "memory_one.html"
    return page.render(template, memory=memory)


@router.get("/{memory_id}/edit")
async def edit(memory_id: UUID, page: PageDep) -> HTMLResponse:
    """Show the form to correct a record."""
    read = Response()
    memory = await api.read(memory_id, Tag(read), page)
    seen = read.headers["ETag"]
    kinds = list(MemoryType)
    return page.render("memory_edit.html", memory=memory, types=kinds, seen=seen)


@router.post("/{memory_id}")
async def correct(memory_id: UUID, page: PageDep, form: FormDep) -> HTMLResponse:
    body = checked(
        CorrectionBody,
        content=form.get("content", ""),
        type=form.get("type") or None,
        importance=form.get("importance") or None,
    )
    expected = expected_version(form.get("seen"))
    memory = await api.correct(memory_id, body, Tag(Response()), page, expected)
    return page.render("memory_card.html", memory=memory)


@router.post("/{memory_id}/pin")
async def pin(memory_id: UUID, page: PageDep, form: FormDep) -> HTMLResponse:
    """Pin or unpin a record."""
    body = PinBody(pinned=form.get("pinned") == "yes")
    memory = await api.pin(memory_id, body, page)
    return page.render("memory_card.html", memory=memory)


@router.post("/{memory_id}/forget")
async def forget(memory_id: UUID, page: PageDep) -> HTMLResponse:
    """Forget a record; shows a line to undo it."""
    memory = await api.read(memory_id, Tag(Response()), page)
    await api.forget(memory_id, page)
    return page.render("memory_forgotten.html", memory=memory)


@router.post("/{memory_id}/undo")
async def undo(memory_id: UUID, page: PageDep) -> HTMLResponse:
    """Restore a forgotten record."""
    memory = await api.undo(memory_id, page)
    return page.render("memory_card.html", memory=memory)


@router.get("/{memory_id}/history")
async def history(memory_id: UUID, page: PageDep) -> HTMLResponse:
    """Show the versions and audit events of a record."""
    memory = await api.read(memory_id, Tag(Response()), page)
    return page.render(
        "memory_history.html",
        memory=memory,
        versions=await api.versions(memory_id, page),
        events=await api.trail(memory_id, page),
    )


@router.post("/{memory_id}/rollback")
async def roll_back(memory_id: UUID, page: PageDep, form: FormDep) -> HTMLResponse:
    """Roll back to an earlier version."""
    body = checked(MemoryRollbackBody, version=form.get("version", ""))
    memory = await api.roll_back(memory_id, body, Tag(Response()), page)
    return page.render("memory_card.html", memory=memory)
