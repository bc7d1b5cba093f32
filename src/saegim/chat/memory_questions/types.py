"""Values of questions to memory: what was found, and the answer."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from saegim.chat.types import Evidence, EvidenceKind, marker
from saegim.domain.scope import Locale
from saegim.llm.model_call import CallSource
from saegim.memory.types import MemoryType, Record
from saegim.text.analysis import language

MOST_LISTED = 24


class AskOutcome(StrEnum):
    """UNKNOWN: memory has no answer. OFF: memory may not be used."""

    ANSWERED = "answered"
    UNKNOWN = "unknown"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class MemoryQuestion:
    text: str
    now: datetime
    time_zone: str

    @property
    def locale(self) -> Locale:
        return language(self.text)


@dataclass(frozen=True, slots=True)
class MemorySource:
    """A record or a turn that may answer a question. `id` is the id of the record, or of the
    turn."""

    kind: Literal["record", "turn"]
    id: UUID
    text: str
    said_at: datetime
    quote: str = ""
    type: MemoryType | None = None
    turn: UUID | None = None
    valid_to: datetime | None = None
    superseded_by: UUID | None = None
    pinned: bool = False
    unsure_since: datetime | None = None
    """When something that a record rests on changed."""
    message: str | None = None
    """What the user said in a turn whose `text` has the reply too."""

    @classmethod
    def of(cls, record: Record) -> "MemorySource":
        return cls(
            kind="record",
            id=record.id,
            text=record.content,
            said_at=record.said_at,
            quote=record.quote,
            pinned=record.pinned,
            type=record.type,
            turn=record.sources[0] if record.sources else None,
            valid_to=record.valid_to,
            superseded_by=record.superseded_by,
            unsure_since=record.unsure_since,
        )


@dataclass(frozen=True, slots=True)
class SourceChange:
    """What a statement was and what it became."""

    old: MemorySource
    new: MemorySource


@dataclass(frozen=True, slots=True)
class MemoryFindings:
    """What memory has for a question: what was recalled, the valid records, the most important
    first, and the last changes. `known` is recall's chance that the answer was told."""

    recalled: tuple[MemorySource, ...] = ()
    records: tuple[MemorySource, ...] = ()
    changes: tuple[SourceChange, ...] = ()
    known: float = 0.0
    is_unknown: bool = False
    off: bool = False

    @property
    def everything(self) -> list[MemorySource]:
        """All sources once, in the order of the markers."""
        changed = [side for change in self.changes for side in (change.new, change.old)]
        every = (*self.recalled, *self.records[:MOST_LISTED], *changed)
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
    """An answer from memory. `confidence` is from 0 to 1; `by` says whether a model wrote it or
    it quotes."""

    text: str
    outcome: AskOutcome
    confidence: float = 0.0
    citations: tuple[CitedMemory, ...] = ()
    by: CallSource = CallSource.FALLBACK
