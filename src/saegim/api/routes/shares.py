"""Sharing of sessions by link inside the tenant."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query

from saegim.api.caller import CallDep
from saegim.api.schemas.shares import SessionShareView, SharedSessionView, shared_turn_view
from saegim.audit.types import AuditAction

router = APIRouter(prefix="/v1", tags=["sessions"])

PAGE = 100
NEWEST = 2**31 - 1


@router.post("/sessions/{session_id}/share")
async def share_session(session_id: UUID, call: CallDep) -> SessionShareView:
    """Shares a session of the caller with the members of the tenant, up to its last answer. The
    link of a session that is already shared stays the same. Temporary sessions cannot be shared."""
    async with call.recording(AuditAction.SESSION_SHARED):
        share = await call.services.conversations.shares.share(call.scope, session_id)
    return SessionShareView.of(share, path=f"/shared/{share.id}")


@router.delete("/sessions/{session_id}/share", status_code=204)
async def stop_sharing(session_id: UUID, call: CallDep) -> None:
    """Stops sharing a session of the caller. Its link does not work any more."""
    async with call.recording(AuditAction.SHARING_STOPPED):
        await call.services.conversations.shares.stop(call.scope, session_id)


@router.get("/shared/{share_id}")
async def read_shared(
    share_id: UUID,
    call: CallDep,
    after: Annotated[int, Query(ge=0, le=NEWEST)] = 0,
    count: Annotated[int, Query(ge=1, le=PAGE)] = PAGE,
) -> SharedSessionView:
    """Returns a session that a member of the tenant shared, as it was then. Sources that the caller
    may not read are left out, and so are memories of its owner."""
    page = await call.services.reading.shared.read(call.caller, share_id, after, count)
    turns = [shared_turn_view(each) for each in page.turns]
    more = turns[-1].number if page.more else None
    return SharedSessionView.of(page, turns=turns, next_after=more)
