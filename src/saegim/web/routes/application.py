"""The page that runs the Svelte application, with what it needs at its start."""

from typing import Annotated, Any
from urllib.parse import quote
from uuid import UUID

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse, RedirectResponse

from saegim import __version__
from saegim.api.routes import assistants, keys, members
from saegim.web.assets import Assets
from saegim.web.rendering import Page, PageDep

router = APIRouter()

MOVED = {
    "/admin": "/settings",
    "/evaluation": "/settings/quality",
    "/usage": "/settings/usage",
}


@router.get("/library/document")
async def show_document(
    page: PageDep,  # noqa: ARG001 - checks the permission
    id: Annotated[str, Query(min_length=1, max_length=500)],  # noqa: A002 - the query parameter
) -> RedirectResponse:
    """Redirect the address of a document in earlier releases."""
    return RedirectResponse(f"/library/documents/{quote(id, safe='')}", 308)


@router.get("/memory/{memory_id}")
async def show_memory(
    page: PageDep,  # noqa: ARG001 - checks the permission
    memory_id: UUID,
) -> RedirectResponse:
    """Redirect the address of a memory in earlier releases."""
    return RedirectResponse(f"/memory?id={memory_id}", 308)


@router.get("/memory")
@router.get("/library")
@router.get("/library/{path:path}")
@router.get("/chat")
@router.get("/chat/{path:path}")
@router.get("/shared/{share_id}")
@router.get("/settings")
@router.get("/settings/{path:path}")
@router.get("/welcome")
async def show_application(page: PageDep) -> HTMLResponse:
    """Show the application; the script reads the address."""
    assets: Assets = page.request.app.state.assets
    name = page.request.url.path.split("/")[1]
    entry = assets.application(name, page.visitor.language)
    return page.render("application.html", entry=entry, boot=await _boot(page))


@router.get("/admin")
@router.get("/evaluation")
@router.get("/usage")
async def redirect_moved(page: PageDep) -> RedirectResponse:
    """Send the addresses of earlier releases to the settings."""
    return RedirectResponse(MOVED[page.request.url.path], 308)


async def _boot(page: Page) -> dict[str, Any]:
    """Return what the application knows at its start."""
    visitor = page.visitor
    roles = await page.services.llm.connections.roles(page.tenant)
    me = await keys.read_me(page)
    choices = await assistants.list_available(page) if visitor.may("chat") else []
    profiles = await members.list_profiles(page) if visitor.may("self") else []
    return {
        "language": visitor.language,
        "csrf": visitor.sign_in.csrf,
        "version": __version__,
        "name": me.name,
        "me": me.model_dump(mode="json"),
        "profiles": [each.model_dump(mode="json") for each in profiles],
        "assistants": [each.model_dump(mode="json") for each in choices],
        "model_connected": any(role.model is not None for role in roles),
    }
