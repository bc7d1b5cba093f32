"""Values of a move to another embedder."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

ReembedState = Literal["running", "switched", "abandoned"]


@dataclass(frozen=True, slots=True)
class Reembed:
    """A tenant's move to another embedder, and how far it is."""

    embedder: str
    dimensions: int
    state: ReembedState
    cursors: Mapping[str, UUID]
    embedded: int
    total: int


@dataclass(frozen=True, slots=True)
class MissingVectors:
    """What has no vector yet, by id, with its text; `last` is None where all was looked at."""

    texts: Mapping[UUID, str]
    last: UUID | None


@dataclass(frozen=True, slots=True)
class RetiredIndex:
    """An index that served before; `subject` says of what."""

    subject: str
    generation: int
    embedder: str
