"""The library: its documents, how they come in, and what a search finds and why."""

from typing import Annotated
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import ValidationError

from saegim.api.caller import ServicesDep
from saegim.api.routes import assistants, library as api, sources
from saegim.domain.errors import Invalid
from saegim.domain.policy import Permission, allows
from saegim.web.auth import FormDep, VisitorDep
from saegim.web.rendering import asked_for_part, render

router = APIRouter(prefix="/library")

PAGE = 50


@router.get("")
async def show_library(
    request: Request,
    services: ServicesDep,
    visitor: VisitorDep,
    words: Annotated[str, Query(max_length=200)] = "",
    before: UUID | None = None,
) -> HTMLResponse:
    """The documents, with the place to bring more in."""
    page = await api.list_documents(services, visitor.caller, words, before, PAGE)
    more = None
    if page.next_before is not None:
        more = "/library?" + urlencode({"words": words, "before": page.next_before})
    if asked_for_part(request):
        return render(request, "library_list.html", visitor, page=page, more=more)
    edits = allows(visitor.caller, Permission.EDIT_LIBRARY)
    collections = [{"name": "default", "audience": list[str]()}]
    if allows(visitor.caller, Permission.MANAGE_COLLECTIONS):
        found = await assistants.list_collections(services, visitor.caller)
        collections = [one.model_dump() for one in found] or collections
    return render(
        request,
        "library.html",
        visitor,
        page=page,
        more=more,
        words=words,
        collections=collections,
        sources=(await sources.list_sources(services, visitor.caller)).sources if edits else [],
    )


@router.get("/search")
async def search(
    request: Request,
    services: ServicesDep,
    visitor: VisitorDep,
    query: Annotated[str, Query(max_length=2_000)] = "",
) -> HTMLResponse:
    """What a search finds, with the signals of each hit."""
    found = None
    if query.strip():
        found = await api.search(api.SearchBody(query=query), services, visitor.caller)
    template = "library_found.html" if asked_for_part(request) else "library_search.html"
    return render(request, template, visitor, query=query, found=found)


@router.get("/document")
async def show_document(
    request: Request,
    services: ServicesDep,
    visitor: VisitorDep,
    id: Annotated[str, Query(min_length=1, max_length=500)],  # noqa: A002 - as it is called outside
) -> HTMLResponse:
    """A document, section by section, with those that are related."""
    looked_up = await api.look_up(id, services, visitor.caller)
    return render(request, "library_document.html", visitor, found=looked_up)


@router.post("/collections")
async def add_collection(services: ServicesDep, visitor: VisitorDep, form: FormDep) -> Response:
    """One more collection, for the groups that are named, apart by commas, or for everybody."""
    groups = [name.strip() for name in form.get("audience", "").split(",") if name.strip()]
    try:
        body = assistants.CollectionBody(name=form.get("name", ""), audience=groups)
    except ValidationError as error:
        raise Invalid("collection") from error
    await assistants.add_collection(body, services, visitor.caller)
    return Response(headers={"HX-Refresh": "true"})


@router.post("/remove")
async def remove(services: ServicesDep, visitor: VisitorDep, form: FormDep) -> Response:
    """Removes a document; no search shows it from now on."""
    await api.remove_document(form.get("id", ""), services, visitor.caller)
    return Response(headers={"HX-Redirect": "/library"})
