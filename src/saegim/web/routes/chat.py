"""The chat page; what it shows comes from the API by the chat module."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import HTMLResponse

from saegim.api.caller import ServicesDep
from saegim.api.routes import assistants, members, sessions
from saegim.web.auth import VisitorDep
from saegim.web.rendering import render

router = APIRouter()

# All that the page's modules import, so that none waits for another to be read.
MODULES = (
    "pages.js", "page-chat.js", "api.js", "chat.js", "cite.js", "composer.js", "controls.js",
    "dom.js", "korean.js", "markdown.js", "sse.js", "texts.js", "turn.js", "uploading.js", "why.js",
    "vendor/marked.esm.js", "vendor/purify.es.js",
)  # fmt: skip


@router.get("/chat")
async def new_chat(request: Request, services: ServicesDep, visitor: VisitorDep) -> HTMLResponse:
    """A new conversation, with the assistant that was chosen."""
    return await _page(request, services, visitor, None)


@router.get("/chat/{session_id}")
async def show_chat(
    session_id: UUID, request: Request, services: ServicesDep, visitor: VisitorDep
) -> HTMLResponse:
    """A conversation that was begun, with the assistant it was begun with."""
    return await _page(request, services, visitor, session_id)


@router.get("/conversations")
async def list_conversations(
    request: Request,
    services: ServicesDep,
    visitor: VisitorDep,
    words: Annotated[str, Query(max_length=200)] = "",
    hx_current_url: Annotated[str, Header()] = "",
) -> HTMLResponse:
    """The list beside the chat, those alone that hold some words."""
    found = await sessions.list_sessions(services, visitor.caller, count=200)
    wanted = words.casefold().split()
    shown = [one for one in found.sessions if all(word in one.title.casefold() for word in wanted)]
    current = hx_current_url.rpartition("/")[2]
    return render(
        request,
        "conversations.html",
        visitor,
        sessions=shown,
        current=current,
        words=words,
        choices=await assistants.list_available(services, visitor.caller),
    )


async def _page(
    request: Request, services: ServicesDep, visitor: VisitorDep, session: UUID | None
) -> HTMLResponse:
    caller = visitor.caller
    answering = caller.assistant
    if session is not None:
        answering = (await services.conversations.turns.session(caller.scope, session)).assistant
    choices = await assistants.list_available(services, caller)
    answers = next((one for one in choices if one.assistant_id == answering), None)
    found = await sessions.list_sessions(services, caller, count=200)
    profiles = await members.list_profiles(services, caller) if visitor.may("self") else []
    return render(
        request,
        "chat.html",
        visitor,
        session=session,
        sessions=found.sessions,
        current=str(session or ""),
        words="",
        choices=choices,
        answers=answers,
        profiles=profiles,
        modules=MODULES,
    )
