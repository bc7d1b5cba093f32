"""What Saegim concludes from the memories of the caller, and why."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel

from saegim.api.caller import CallDep
from saegim.api.schemas.derived_memory import DerivedList, DerivedView
from saegim.memory.synthesis.repository import ALL_KINDS
from saegim.memory.synthesis.types import DerivedKind

router = APIRouter(prefix="/v1/memory", tags=["memory"])


class DerivedQuery(BaseModel):
    """Which kinds to list; all if none is given."""

    kind: Annotated[list[DerivedKind], Query(max_length=3)] = []


@router.get("/derived")
async def derived(query: Annotated[DerivedQuery, Query()], call: CallDep) -> DerivedList:
    """Lists what follows from the caller's memories: observations, the profile and pages of
    people, projects and things; each with its sources, the evidence against it and a confidence."""
    known = await call.services.memory.synthesis.known(call.scope, query.kind or ALL_KINDS)
    return DerivedList(derived=[DerivedView.explained(each) for each in known])


@router.post("/derived/{derived_id}/undo")
async def undo(derived_id: UUID, call: CallDep) -> DerivedView:
    """Takes back a conclusion until its sources change. The memories behind it stay."""
    undone = await call.services.memory.synthesis.undo(call.scope, derived_id)
    return DerivedView.explained(undone)


@router.post("/derived/{derived_id}/restore")
async def restore(derived_id: UUID, call: CallDep) -> DerivedView:
    """Restores a conclusion that was taken back."""
    restored = await call.services.memory.synthesis.restore(call.scope, derived_id)
    return DerivedView.explained(restored)
