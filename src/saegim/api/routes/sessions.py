"""Sessions, and previews of the context that the model receives."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from saegim.api.caller import CallDep
from saegim.api.schemas.chat import PreviewBody
from saegim.api.schemas.context import (
    PreviewView,
    SessionContextView,
    context_view,
    preview_view,
)
from saegim.api.views import View, example
from saegim.chat.preview import PreviewRequest
from saegim.conversations.sessions import SessionChange
from saegim.text.analysis import normalise


class ListedSessionView(View):
    """A session. The title is the user's, else the model's, else the first message without
    greetings. `turns` counts the messages, with all variants. `share_id` is that of its link, if it
    is shared."""

    session_id: UUID
    assistant_id: UUID
    title: str
    turns: int
    used_at: datetime
    temporary: bool
    pinned: bool
    share_id: UUID | None
    shared_at: datetime | None


class SessionBody(BaseModel, extra="forbid"):
    """New values of a session. An empty title brings the automatic one back."""

    model_config = example(title="EC2 비용", pinned=True)

    title: Annotated[str, Field(max_length=200)] | None = None
    pinned: bool | None = None

    def change(self) -> SessionChange:
        title = None if self.title is None else " ".join(normalise(self.title).split())
        return SessionChange(title, self.pinned)


class TurnHitView(View):
    """A turn that matches a search, with the sentence that matches best."""

    session_id: UUID
    title: str
    turn_id: UUID
    snippet: str
    used_at: Annotated[datetime, Field(description="When the message was sent.")]


class TurnHits(BaseModel):
    """Turns that match a search, best first."""

    hits: list[TurnHitView]


class SessionPage(BaseModel):
    """Sessions, most recently used first. Pass `next_before` as `before` for the next page."""

    sessions: list[ListedSessionView]
    next_before: UUID | None


router = APIRouter(prefix="/v1", tags=["sessions"])


@router.get("/sessions")
async def list_sessions(
    call: CallDep, before: UUID | None = None, count: Annotated[int, Query(ge=1, le=200)] = 50
) -> SessionPage:
    """Lists the caller's sessions, most recently used first, without tests of an assistant's draft.
    A page may therefore have fewer than `count`, and yet `next_before`."""
    sessions = await call.services.conversations.sessions.page(call.scope, before, count)
    last = sessions[-1].id if len(sessions) == count else None
    listed = [each for each in sessions if not each.draft]
    return SessionPage(sessions=ListedSessionView.each(listed), next_before=last)


@router.get("/sessions/search")
async def search_sessions(
    call: CallDep,
    q: Annotated[str, Query(min_length=1, max_length=500)],
    count: Annotated[int, Query(ge=1, le=100)] = 20,
) -> TurnHits:
    """Searches the turns of the caller's sessions, without unused ones and tests of a draft."""
    hits = await call.services.conversations.search.search(call.scope, q, count)
    return TurnHits(hits=TurnHitView.each(hits))


@router.patch("/sessions/{session_id}")
async def change_session(session_id: UUID, body: SessionBody, call: CallDep) -> ListedSessionView:
    """Renames or pins a session of the caller."""
    sessions = call.services.conversations.sessions
    return ListedSessionView.of(await sessions.change(call.scope, session_id, body.change()))


@router.post("/sessions/{session_id}/restore")
async def restore_session(session_id: UUID, call: CallDep) -> ListedSessionView:
    """Restores a session that was deleted with `undoable` at most five minutes ago."""
    sessions = call.services.conversations.sessions
    return ListedSessionView.of(await sessions.restore(call.scope, session_id))


@router.get("/sessions/{session_id}/context")
async def read_context(session_id: UUID, call: CallDep) -> SessionContextView:
    """Returns the summary, entities and recent turns of a session, with their token counts."""
    return context_view(await call.services.chat.preview.show(call.scope, session_id))


@router.post("/preview")
async def preview(body: PreviewBody, call: CallDep) -> PreviewView:
    """Returns the context that the model would receive for this message. Nothing is sent or
    stored."""
    draft = PreviewRequest(
        message=body.message,
        session=body.session_id,
        documents=tuple(body.selected_doc_ids),
        controls=body.controls(),
    )
    context, degraded = await call.services.chat.preview.draft(call.caller, draft)
    return preview_view(context, degraded)


# After the other paths below /sessions, which would be read as an id.
@router.get("/sessions/{session_id}")
async def read_session(session_id: UUID, call: CallDep) -> ListedSessionView:
    """Returns a session of the caller."""
    return ListedSessionView.of(
        await call.services.conversations.sessions.find(call.scope, session_id)
    )
