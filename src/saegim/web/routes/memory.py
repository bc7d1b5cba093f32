"""What is remembered, for the person it is about: see, correct, pin, forget, go back."""

from typing import Annotated, Any, Literal
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import BaseModel

from saegim.api.caller import ServicesDep
from saegim.api.etags import Tag, expected_version
from saegim.api.routes import members, memories as api, turn_memories
from saegim.api.routes.governance import erasure_view
from saegim.api.schemas.memory import CorrectionBody, MemoryRollbackBody, NewMemoryBody, PinBody
from saegim.domain.errors import Invalid
from saegim.memory.types import MemoryType
from saegim.web.auth import FormDep, VisitorDep
from saegim.web.rendering import asked_for_part, render

router = APIRouter(prefix="/memory")

PAGE = 30


class MemoryFilterForm(BaseModel):
    """The filters as their form sends them: what is empty leaves everything in."""

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

    def from_here(self, before: UUID | None) -> str | None:
        """The address of the next page."""
        if before is None:
            return None
        return "/memory?" + urlencode(self.model_dump(exclude={"before"}) | {"before": before})


@router.get("")
async def show_memory(
    chosen: Annotated[MemoryFilterForm, Query()],
    request: Request,
    services: ServicesDep,
    visitor: VisitorDep,
) -> HTMLResponse:
    """The records, newest first, by words, type and year; with how many each month has."""
    page = await api.browse(chosen.query(), services, visitor.caller)
    listed: dict[str, Any] = {
        "page": page,
        "more": chosen.from_here(page.next_before),
        "further": chosen.before is not None,
        "forgotten": bool(chosen.forgotten),
    }
    if asked_for_part(request):
        return render(request, "memory_list.html", visitor, **listed)
    months = await api.timeline(services, visitor.caller)
    planned = await services.governance.erasures.planned(visitor.caller)
    return render(
        request,
        "memory.html",
        visitor,
        **listed,
        chosen=chosen,
        months=months,
        years=sorted({month.year for month in months}, reverse=True),
        most=max((month.records for month in months), default=1),
        types=list(MemoryType),
        consent=await turn_memories.read_consent(services, visitor.caller),
        planned=None if planned is None else erasure_view(planned),
        profiles=await members.list_profiles(services, visitor.caller),
    )


@router.post("")
async def add(
    request: Request, services: ServicesDep, visitor: VisitorDep, form: FormDep
) -> HTMLResponse:
    """Writes something down."""
    body = _checked(NewMemoryBody, content=form.get("content", ""), type=form.get("type") or "note")
    memory = await api.add(body, services, visitor.caller)
    return render(request, "memory_card.html", visitor, memory=memory)


@router.post("/consent")
async def switch(
    request: Request, services: ServicesDep, visitor: VisitorDep, form: FormDep
) -> HTMLResponse:
    """Turns memory on or off."""
    body = turn_memories.ConsentBody(memory=form.get("memory") == "on")
    consent = await turn_memories.set_consent(body, services, visitor.caller)
    return render(request, "memory_consent.html", visitor, consent=consent)


@router.get("/{memory_id}")
async def show_one(
    memory_id: UUID, request: Request, services: ServicesDep, visitor: VisitorDep
) -> HTMLResponse:
    """One record."""
    memory = await api.read(memory_id, Tag(Response()), services, visitor.caller)
    template = "memory_card.html" if asked_for_part(request) else "memory_one.html"
    return render(request, template, visitor, memory=memory)


@router.get("/{memory_id}/edit")
async def edit(
    memory_id: UUID, request: Request, services: ServicesDep, visitor: VisitorDep
) -> HTMLResponse:
    """The form that corrects a record."""
    read = Response()
    memory = await api.read(memory_id, Tag(read), services, visitor.caller)
    seen = read.headers["ETag"]
    kinds = list(MemoryType)
    return render(request, "memory_edit.html", visitor, memory=memory, types=kinds, seen=seen)


@router.post("/{memory_id}")
async def correct(
    memory_id: UUID, request: Request, services: ServicesDep, visitor: VisitorDep, form: FormDep
) -> HTMLResponse:
    """Corrects a record."""
    body = _checked(
        CorrectionBody,
        content=form.get("content", ""),
        type=form.get("type") or None,
        importance=form.get("importance") or None,
    )
    seen = expected_version(form.get("seen"))
    memory = await api.correct(memory_id, body, Tag(Response()), services, visitor.caller, seen)
    return render(request, "memory_card.html", visitor, memory=memory)


@router.post("/{memory_id}/pin")
async def pin(
    memory_id: UUID, request: Request, services: ServicesDep, visitor: VisitorDep, form: FormDep
) -> HTMLResponse:
    """Puts a record into every context, or no longer."""
    body = PinBody(pinned=form.get("pinned") == "yes")
    memory = await api.pin(memory_id, body, services, visitor.caller)
    return render(request, "memory_card.html", visitor, memory=memory)


@router.post("/{memory_id}/forget")
async def forget(
    memory_id: UUID, request: Request, services: ServicesDep, visitor: VisitorDep
) -> HTMLResponse:
    """Forgets a record; the line in its place brings it back."""
    memory = await api.read(memory_id, Tag(Response()), services, visitor.caller)
    await api.forget(memory_id, services, visitor.caller)
    return render(request, "memory_forgotten.html", visitor, memory=memory)


@router.post("/{memory_id}/undo")
async def undo(
    memory_id: UUID, request: Request, services: ServicesDep, visitor: VisitorDep
) -> HTMLResponse:
    """Brings a forgotten record back."""
    memory = await api.undo(memory_id, services, visitor.caller)
    return render(request, "memory_card.html", visitor, memory=memory)


@router.get("/{memory_id}/history")
async def history(
    memory_id: UUID, request: Request, services: ServicesDep, visitor: VisitorDep
) -> HTMLResponse:
    """A record's versions, and who did what to it."""
    memory = await api.read(memory_id, Tag(Response()), services, visitor.caller)
    return render(
        request,
        "memory_history.html",
        visitor,
        memory=memory,
        versions=await api.versions(memory_id, services, visitor.caller),
        events=await api.trail(memory_id, services, visitor.caller),
    )


@router.post("/{memory_id}/rollback")
async def roll_back(
    memory_id: UUID, request: Request, services: ServicesDep, visitor: VisitorDep, form: FormDep
) -> HTMLResponse:
    """Makes an earlier version the newest."""
    body = _checked(MemoryRollbackBody, version=form.get("version", ""))
    memory = await api.roll_back(memory_id, body, Tag(Response()), services, visitor.caller)
    return render(request, "memory_card.html", visitor, memory=memory)


def _checked[Body](shape: type[Body], **fields: Any) -> Body:
    """The body that the API would take of these fields; raises Invalid."""
    try:
        return shape(**fields)
    except ValueError as error:
        raise Invalid from error
