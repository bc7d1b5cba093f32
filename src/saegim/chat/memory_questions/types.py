"""Values of questions to memory: the question, what was found, and the answer."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from saegim.chat.types import Evidence, EvidenceKind, marker
from saegim.domain.scope import Locale
from saegim.llm.model_call import CallSource
from saegim.memory.recall.types import TimeSpan
from saegim.memory.types import MemoryType, Record


class QuestionKind(StrEnum):
    """What a question to memory asks for; OPEN: anything else."""

    PROFILE = "profile"
    DECISION = "decision"
    CHANGES = "changes"
    WHEN = "when"
    OPEN = "open"


class AskOutcome(StrEnum):
    """UNKNOWN: memory has no answer. OFF: memory may not be used."""

    ANSWERED = "answered"
    UNKNOWN = "unknown"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class MemoryQuestion:
    """A question about the user. `topic` is what remains without the words that ask, and `span`
    the time that it names."""

    text: str
    kind: QuestionKind
    topic: str
    locale: Locale
    time_zone: str
    now: datetime
    span: TimeSpan | None = None
    asks_why: bool = False


@dataclass(frozen=True, slots=True)
class MemorySource:
    """A record or a turn that may answer a question. `id` is the id of the record, or of the
    turn."""

    kind: Literal["record", "turn"]
    id: UUID
    text: str
    said_at: datetime
    quote: str = ""
    topic: str = ""
    type: MemoryType | None = None
    turn: UUID | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    superseded_by: UUID | None = None
    similarity: float = 0.0
    pinned: bool = False
    unsure_since: datetime | None = None
    """When something that a record rests on changed."""
    message: str | None = None
    """What the user said in a turn whose `text` has the reply too."""

    @classmethod
    def of(cls, record: Record, similarity: float = 0.0) -> "MemorySource":
        return cls(
            kind="record",
            id=record.id,
            text=record.content,
            said_at=record.said_at,
            quote=record.quote,
            topic=record.topic,
            pinned=record.pinned,
            type=record.type,
            turn=record.sources[0] if record.sources else None,
            valid_from=record.valid_from,
            valid_to=record.valid_to,
            superseded_by=record.superseded_by,
            similarity=similarity,
            unsure_since=record.unsure_since,
        )


@dataclass(frozen=True, slots=True)
class SourceChange:
    """What a statement was and what it became."""

    old: MemorySource
    new: MemorySource
    at: datetime


# An unsure record answers half as surely, as in recall.
_UNSURE = 0.5
_SUREST = 0.95


def _odds(chance: float) -> float:
    limited = min(max(chance, 1 - _SUREST), _SUREST)
    return limited / (1 - limited)


@dataclass(slots=True)
class MemoryFindings:
    """What the looks found. `known` is recall's chance that the answer was told, `looks` names
    what was looked at, `reasons` are sentences that say why, by decision."""

    sources: list[MemorySource] = field(default_factory=list[MemorySource])
    changes: list[SourceChange] = field(default_factory=list[SourceChange])
    reasons: dict[UUID, MemorySource] = field(default_factory=dict[UUID, MemorySource])
    known: float = 0.0
    is_unknown: bool = False
    off: bool = False
    looks: list[str] = field(default_factory=list[str])

    def chance(self, fit: float, source: MemorySource | None = None) -> float:
        """Return the chance that the question is answered, from 0 to 1.

        It is recall's own chance, changed by how well what was found fits; a fit of 0.5 changes
        nothing. Without turns recall has no chance, and the fit counts alone.
        """
        odds = _odds(self.known or 0.5) * _odds(fit)
        doubt = 1.0 if source is None or source.unsure_since is None else _UNSURE
        return round(doubt * odds / (1 + odds), 3)

    def add(self, *sources: MemorySource) -> None:
        """Add the sources that are not there yet."""
        present = {each.id for each in self.sources}
        for each in sources:
            if each.id not in present:
                present.add(each.id)
                self.sources.append(each)

    @property
    def everything(self) -> list[MemorySource]:
        """All sources once, in the order of the markers."""
        changed = [side for change in self.changes for side in (change.new, change.old)]
        every = (*changed, *self.sources, *self.reasons.values())
        return list({(each.id, each.text): each for each in every}.values())


@dataclass(frozen=True, slots=True)
class CitedMemory:
    """A source with the marker that cites it."""

    marker: str
    source: MemorySource


class Markers:
    """The markers of the sources: [M1], [M2], …"""

    def __init__(self, sources: list[MemorySource], time_zone: str) -> None:
        numbered = enumerate(sources, start=1)
        self._cited = {
            (each.id, each.text): CitedMemory(marker(EvidenceKind.MEMORY, number), each)
            for number, each in numbered
        }
        self._time_zone = time_zone

    def of(self, source: MemorySource) -> str:
        return self._cited[source.id, source.text].marker

    def by_marker(self) -> dict[str, CitedMemory]:
        return {each.marker: each for each in self._cited.values()}

    def evidence(self) -> dict[str, Evidence]:
        """Return the sources as evidence that an answer may cite."""
        return {each.marker: _evidence(each, self._time_zone) for each in self._cited.values()}


def _evidence(cited: CitedMemory, time_zone: str) -> Evidence:
    source = cited.source
    text = source.text
    if source.quote and source.quote not in text:
        text = f"{text}\n{source.quote}"
    turn = None if source.turn is None else str(source.turn)
    return Evidence(
        kind=EvidenceKind.MEMORY,
        id=str(source.id),
        marker=cited.marker,
        title=day_of(source.said_at, time_zone),
        text=text,
        turn=turn,
        message=source.message,
    )


def day_of(at: datetime, time_zone: str) -> str:
    """Return the ISO date of a time in a time zone."""
    return at.astimezone(ZoneInfo(time_zone)).date().isoformat()


@dataclass(frozen=True, slots=True)
class MemoryAnswer:
    """An answer from memory. `confidence` is from 0 to 1; `by` says whether a model or the rules
    wrote it."""

    text: str
    outcome: AskOutcome
    kind: QuestionKind
    confidence: float = 0.0
    citations: tuple[CitedMemory, ...] = ()
    looks: tuple[str, ...] = ()
    by: CallSource = CallSource.FALLBACK
