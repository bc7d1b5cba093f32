"""Sessions, and previews of the context that the model receives."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query

from saegim.api.caller import CallerDep, ServicesDep
from saegim.api.schemas.chat import (
    ListedSessionView,
    PreviewBody,
    SessionPage,
    controls_of,
)
from saegim.api.schemas.context import (
    PreviewView,
    SessionContextView,
    context_view,
    preview_view,
)
from saegim.api.views import view_of
from saegim.chat.preview import PreviewRequest

router = APIRouter(prefix="/v1", tags=["sessions"])


@router.get("/sessions")
async def list_sessions(
    services: ServicesDep,
    caller: CallerDep,
    before: UUID | None = None,
    count: Annotated[int, Query(ge=1, le=200)] = 50,
) -> SessionPage:
    """Lists the caller's sessions, most recently used first."""
    sessions = await services.conversations.turns.sessions(caller.scope, before, count)
    return SessionPage(
        next_before=sessions[-1].id if len(sessions) == count else None,
        sessions=[
            view_of(ListedSessionView, one, session_id=one.id, assistant_id=one.assistant)
            for one in sessions
        ],
    )


@router.get("/sessions/{session_id}/context")
async def read_context(
    session_id: UUID, services: ServicesDep, caller: CallerDep
) -> SessionContextView:
    """Returns the summary, entities and recent turns of a session, with their token counts."""
    return context_view(await services.chat.preview.show(caller.scope, session_id))


@router.post("/preview")
async def preview(body: PreviewBody, services: ServicesDep, caller: CallerDep) -> PreviewView:
    """Returns the context that the model would receive for this message. Nothing is sent or
    stored."""
    draft = PreviewRequest(
        message=body.message,
        session=body.session_id,
        documents=tuple(body.selected_doc_ids),
        controls=controls_of(body),
    )
    context, degraded = await services.chat.preview.draft(caller, draft)
    return preview_view(context, degraded)
