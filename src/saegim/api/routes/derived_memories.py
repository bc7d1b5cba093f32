"""What Saegim concludes from the memories of the caller, and why."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, BaseModel

from saegim.api.caller import CallDep
from saegim.api.views import View
from saegim.memory.synthesis.repository import ALL_KINDS
from saegim.memory.synthesis.types import DerivedKind, ExplainedMemory, ProfilePart
from saegim.memory.types import MemoryType


class DerivedSourceView(View):
    """A memory behind a conclusion, with the words it comes from."""

    memory_id: UUID
    type: MemoryType
    content: str
    quote: str
    said_at: AwareDatetime
    sources: list[UUID]
    superseded_by: UUID | None


class DerivedView(View):
    """A conclusion: an observation, a line of the profile, or the page of a topic.

    `against` are memories that were replaced. `proofs` counts the turns that said it."""

    derived_id: UUID
    kind: DerivedKind
    title: str
    content: str
    part: ProfilePart | None
    proofs: int
    confidence: float
    first_seen: AwareDatetime
    last_seen: AwareDatetime
    undone: bool
    sources: list[DerivedSourceView]
    against: list[DerivedSourceView]

    @classmethod
    def explained(cls, explained: ExplainedMemory) -> "DerivedView":
        return cls.of(
            explained.memory,
            sources=DerivedSourceView.each(explained.evidence),
            against=DerivedSourceView.each(explained.counter_evidence),
        )


class DerivedList(BaseModel):
    """What follows from the memories of a user."""

    derived: list[DerivedView]


router = APIRouter(prefix="/v1/memory", tags=["memory"])


class DerivedQuery(BaseModel):
    """Which kinds to list; all if none is given."""

    kind: Annotated[list[DerivedKind], Query(max_length=3)] = []


@router.get("/derived")
async def derived(query: Annotated[DerivedQuery, Query()], call: CallDep) -> DerivedList:
    """Lists what follows from the caller's memories: observations, the profile and pages of
    topics; each with its sources, what they replaced and a confidence."""
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
