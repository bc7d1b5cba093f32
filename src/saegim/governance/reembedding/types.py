"""Values of a re-embedding."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from uuid import UUID

ReembedState = Literal["running", "switched", "abandoned"]


@dataclass(frozen=True, slots=True)
class Reembed:
    """A tenant's move to another embedder, and its progress."""

    embedder: str
    dimensions: int
    state: ReembedState
    cursors: Mapping[str, UUID] = field(default_factory=dict[str, UUID])
    embedded: int = 0
    total: int = 0

    @property
    def over(self) -> bool:
        return self.state != "running"


@dataclass(frozen=True, slots=True)
class MissingVectors:
    """Texts without a vector, by id; `last` is the last id looked at, None at the end."""

    texts: Mapping[UUID, str]
    last: UUID | None


@dataclass(frozen=True, slots=True)
class RetiredIndex:
    """A replaced index; `subject` is library or memory."""

    subject: str
    generation: int
    embedder: str
