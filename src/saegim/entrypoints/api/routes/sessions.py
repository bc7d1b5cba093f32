"""Conversations: what the model would see of one."""

from uuid import UUID

from fastapi import APIRouter

from saegim.entrypoints.api.caller import CallerDep, ServicesDep
from saegim.entrypoints.api.shapes import SessionContextView, context_view

router = APIRouter(prefix="/v1/sessions", tags=["sessions"])


@router.get("/{session_id}/context")
async def read_context(
    session_id: UUID, services: ServicesDep, caller: CallerDep
) -> SessionContextView:
    """Summary, entities and recent turns of a session of the caller's, each with its tokens."""
    return context_view(await services.preview.show(caller.scope, session_id))
