"""Conversations: which there are, and what the model would see of one."""

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
from saegim.chat.preview import PreviewRequest

router = APIRouter(prefix="/v1", tags=["sessions"])


@router.get("/sessions")
async def list_sessions(
    services: ServicesDep,
    caller: CallerDep,
    before: UUID | None = None,
    count: Annotated[int, Query(ge=1, le=200)] = 50,
) -> SessionPage:
    """The caller's conversations, the last used first."""
    found = await services.conversations.turns.sessions(caller.scope, before, count)
    return SessionPage(
        next_before=found[-1].id if len(found) == count else None,
        sessions=[
            ListedSessionView(
                session_id=one.id,
                assistant_id=one.assistant,
                title=one.title,
                turns=one.turns,
                used_at=one.used_at,
                temporary=one.temporary,
            )
            for one in found
        ],
    )


@router.get("/sessions/{session_id}/context")
async def read_context(
    session_id: UUID, services: ServicesDep, caller: CallerDep
) -> SessionContextView:
    """Summary, entities and recent turns of a session of the caller's, each with its tokens."""
    return context_view(await services.chat.preview.show(caller.scope, session_id))


@router.post("/preview")
async def preview(body: PreviewBody, services: ServicesDep, caller: CallerDep) -> PreviewView:
    """What the model would be shown if this message were sent now; nothing is sent or kept."""
    draft = PreviewRequest(
        message=body.message,
        session=body.session_id,
        documents=tuple(body.selected_doc_ids),
        controls=controls_of(body),
    )
    context, degraded = await services.chat.preview.draft(caller, draft)
    return preview_view(context, degraded)
