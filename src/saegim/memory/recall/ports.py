"""What recall needs from storage: every score of a person's rows, and the text of a few."""

from collections.abc import Awaitable, Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from saegim.domain.scope import Scope
from saegim.memory.recall.question import RecallQuestion
from saegim.memory.types import MemoryType, Record

Scores = NDArray[np.float32]
Seconds = NDArray[np.float64]
Ids = NDArray[np.void]
Numbers = NDArray[np.int64]
# The vector of a question, by the embedder of this name.
VectorBy = Callable[[str], Awaitable[Sequence[float]]]


def session_code(session: UUID) -> int:
    """A session as a number: the random half of its id."""
    return int.from_bytes(session.bytes[8:], signed=True)


@dataclass(frozen=True, slots=True)
class RecordScores:
    """Of each record that holds: how near it is, and what weighs it. Times are in seconds.

    `most` is what a record with every word of the question would have in `lexical`."""

    ids: Ids
    lexical: Scores
    dense: Scores
    importance: Scores
    said: Seconds
    holds: Seconds
    most: float


@dataclass(frozen=True, slots=True)
class EpisodeScores:
    """Of each episode: how near its window and its last turn alone are, and what the turn is.

    `speakers` are those of `speaker` whom the question names."""

    ids: Ids
    session: Numbers
    turn: Numbers
    window: Scores
    own: Scores
    dense: Scores
    said: Seconds
    length: Numbers
    marks: Numbers
    speaker: Numbers
    most: float
    speakers: Set[int]


@dataclass(frozen=True, slots=True)
class Scan:
    """A person's whole memory under one question; `kept` stands in every context."""

    records: RecordScores
    episodes: EpisodeScores
    kept: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class ScanFilter:
    """Which rows a scan looks at, for which session."""

    as_of: datetime
    session: UUID | None = None
    types: Set[MemoryType] = field(default_factory=frozenset[MemoryType])
    said_from: datetime | None = None
    said_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class TranscriptTurn:
    """The turn that an episode ends with."""

    turn: UUID
    session: UUID
    number: int
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class CandidateTexts:
    """What candidates say, by their ids; one that went away meanwhile is missing. `digests` are
    those among the records, each with the records that it tells."""

    records: Mapping[UUID, Record]
    turns: Mapping[UUID, TranscriptTurn]
    digests: Mapping[UUID, Set[UUID]] = field(default_factory=dict[UUID, Set[UUID]])


class RecallStore(Protocol):
    """Searches a person's memory, exactly. Raises StoreUnavailable when it is down."""

    async def scan(
        self,
        scope: Scope,
        question: RecallQuestion,
        vector: VectorBy,
        narrowing: ScanFilter,
    ) -> Scan | None:
        """Every score; None where the tenant, the person or the session wants no memory."""
        ...

    async def open(
        self, scope: Scope, records: Sequence[UUID], episodes: Sequence[UUID]
    ) -> CandidateTexts:
        """The texts of a few candidates."""
        ...
