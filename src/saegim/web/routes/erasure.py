"""Erasing oneself: planned, and cancelled."""

from uuid import UUID

from fastapi import APIRouter, Request, Response

from saegim.api.caller import ServicesDep
from saegim.api.routes import governance
from saegim.governance.erasure.types import ErasureState
from saegim.web.auth import VisitorDep
from saegim.web.rendering import render

router = APIRouter(prefix="/erasure")


@router.post("")
async def erase_me(request: Request, services: ServicesDep, visitor: VisitorDep) -> Response:
    """Plans the visitor's erasure. Without a grace period they are locked out from now on."""
    body = governance.ErasureBody(me=True)
    asked = await governance.ask_erasure(body, services, visitor.caller)
    if asked.state is not ErasureState.PLANNED:
        return Response(status_code=204, headers={"HX-Redirect": "/sign-in"})
    return render(request, "memory_erasure.html", visitor, planned=asked)


@router.post("/{erasure_id}/cancel")
async def cancel(
    erasure_id: UUID, request: Request, services: ServicesDep, visitor: VisitorDep
) -> Response:
    """Cancels it."""
    await governance.cancel_erasure(erasure_id, services, visitor.caller)
    return render(request, "memory_erasure.html", visitor, planned=None)
