"""Requests and cancels the erasure of the visitor."""

from uuid import UUID

from fastapi import APIRouter, Response

from saegim.api.routes import governance
from saegim.governance.erasure.types import ErasureState
from saegim.web.rendering import PageDep

router = APIRouter(prefix="/erasure")


@router.post("")
async def erase_me(page: PageDep) -> Response:
    """Plan the erasure. Without a grace period it starts at once."""
    body = governance.ErasureBody(me=True)
    erasure = await governance.ask_erasure(body, page)
    if erasure.state is not ErasureState.PLANNED:
        return Response(status_code=204, headers={"HX-Redirect": "/sign-in"})
    return page.render("memory_erasure.html", planned=erasure)


@router.post("/{erasure_id}/cancel")
async def cancel(erasure_id: UUID, page: PageDep) -> Response:
    await governance.cancel_erasure(erasure_id, page)
    return page.render("memory_erasure.html", planned=None)
