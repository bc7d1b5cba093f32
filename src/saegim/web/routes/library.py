"""The pages of documents and search."""

from typing import Annotated
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse, Response

from saegim.api.routes import assistants, library as api, sources
from saegim.domain.policy import Permission, allows
from saegim.web.auth import FormDep, checked
from saegim.web.rendering import PageDep, asked_for_part

router = APIRouter(prefix="/library")

PAGE = 50


@router.get("")
async def show_library(
    page: PageDep,
    words: Annotated[str, Query(max_length=200)] = "",
    before: UUID | None = None,
) -> HTMLResponse:
    """Show the documents, with upload."""
    listed = await api.list_documents(page, words, before, PAGE)
    more = None
    if listed.next_before is not None:
        more = "/library?" + urlencode({"words": words, "before": listed.next_before})
    if asked_for_part(page.request):
        return page.render("library_list.html", page=listed, more=more)
    edits = allows(page.caller, Permission.EDIT_LIBRARY)
    collections = [{"name": "default", "audience": list[str]()}]
    if allows(page.caller, Permission.MANAGE_COLLECTIONS):
        existing = await assistants.list_collections(page)
        collections = [each.model_dump() for each in existing] or collections
    return page.render(
        "library.html",
        page=listed,
        more=more,
        words=words,
        collections=collections,
        sources=(await sources.list_sources(page)).sources if edits else [],
    )


@router.get("/search")
async def search(
    page: PageDep,
    query: Annotated[str, Query(max_length=2_000)] = "",
) -> HTMLResponse:
    """Show the results of a search with their scores."""
    results = None
    if query.strip():
        results = await api.search(api.SearchBody(query=query), page)
    template = "library_found.html" if asked_for_part(page.request) else "library_search.html"
    return page.render(template, query=query, found=results)


@router.get("/document")
async def show_document(
    page: PageDep,
    id: Annotated[str, Query(min_length=1, max_length=500)],  # noqa: A002 - the query parameter
) -> HTMLResponse:
    """Show a document and related ones."""
    document = await api.look_up(id, page)
    return page.render("library_document.html", found=document)


@router.post("/collections")
async def add_collection(page: PageDep, form: FormDep) -> Response:
    """Add a collection for groups, separated by commas, or for all users."""
    groups = [name.strip() for name in form.get("audience", "").split(",") if name.strip()]
    name = form.get("name", "")
    body = checked(assistants.CollectionBody, "collection", name=name, audience=groups)
    await assistants.add_collection(body, page)
    return Response(headers={"HX-Refresh": "true"})


@router.post("/remove")
async def remove(page: PageDep, form: FormDep) -> Response:
    """Delete a document."""
    await api.remove_document(form.get("id", ""), page)
    return Response(headers={"HX-Redirect": "/library"})
