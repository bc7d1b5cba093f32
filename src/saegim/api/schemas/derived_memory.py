"""Views of derived memories."""

from uuid import UUID

from pydantic import AwareDatetime, BaseModel

from saegim.api.views import View
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
    """A conclusion: an observation, a line of the profile, or a page of a person, project or thing.

    `against` are memories that were replaced or say the opposite. `proofs` counts the turns that
    said it."""

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
