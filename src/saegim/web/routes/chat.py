"""The chat page; its script gets the content from the API."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Header, Query
from fastapi.responses import HTMLResponse

from saegim.api.routes import assistants, members, sessions
from saegim.web.rendering import PageDep

router = APIRouter()

# All imports of the page, for preloading.
MODULES = (
    "pages.js", "page-chat.js", "api.js", "chat.js", "cite.js", "composer.js", "controls.js",
    "dom.js", "korean.js", "markdown.js", "sse.js", "texts.js", "turn.js", "uploading.js", "why.js",
    "vendor/marked.esm.js", "vendor/purify.es.js",
)  # fmt: skip


@router.get("/chat")
async def new_chat(page: PageDep) -> HTMLResponse:
    """Show a new conversation with the chosen assistant."""
    return await _show(page, None)


@router.get("/chat/{session_id}")
async def show_chat(session_id: UUID, page: PageDep) -> HTMLResponse:
    """Show a conversation with its assistant."""
    return await _show(page, session_id)


@router.get("/conversations")
async def list_conversations(
    page: PageDep,
    words: Annotated[str, Query(max_length=200)] = "",
    hx_current_url: Annotated[str, Header()] = "",
) -> HTMLResponse:
    """List the conversations whose title contains the words."""
    listed = await sessions.list_sessions(page, count=200)
    parts = words.casefold().split()
    matching = [
        each for each in listed.sessions if all(part in each.title.casefold() for part in parts)
    ]
    current = hx_current_url.rpartition("/")[2]
    return page.render(
        "conversations.html",
        sessions=matching,
        current=current,
        words=words,
        choices=await assistants.list_available(page),
    )


async def _show(page: PageDep, session: UUID | None) -> HTMLResponse:
    assistant = page.caller.assistant
    if session is not None:
        opened = await page.services.conversations.turns.session(page.scope, session)
        assistant = opened.assistant
    choices = await assistants.list_available(page)
    answers = next((each for each in choices if each.assistant_id == assistant), None)
    listed = await sessions.list_sessions(page, count=200)
    profiles = await members.list_profiles(page) if page.visitor.may("self") else []
    return page.render(
        "chat.html",
        session=session,
        sessions=listed.sessions,
        current=str(session or ""),
        words="",
        choices=choices,
        answers=answers,
        profiles=profiles,
        modules=MODULES,
    )
