"""Questions to research, and its findings."""

import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum

from saegim.library.types import Document, FoundPassage

MOST_CALLS = 3
"""Library calls per question; a search with all its variants is one."""


@dataclass(frozen=True, slots=True)
class Hints:
    """Names in the message that documents of the library are tagged with."""

    equipment: str | None = None
    module: str | None = None
    doc_type: str | None = None

    def names(self) -> tuple[str, ...]:
        return tuple(name for name in (self.equipment, self.module) if name)

    def as_json(self) -> dict[str, str]:
        return {name: value for name, value in asdict(self).items() if value}


@dataclass(frozen=True, slots=True)
class ResearchQuestion:
    """A message to find evidence for, with context of the conversation.

    `standalone` is the message rewritten to be understood without the conversation, if needed;
    `calls` is the number of library calls that are left.
    """

    message: str
    standalone: str | None = None
    variants: tuple[str, ...] = ()
    hints: Hints = Hints()
    prefers: tuple[str, ...] = ()
    calls: int = MOST_CALLS


class Tool(StrEnum):
    """A function of the library."""

    SEARCH_ALL = "search_all"
    SEARCH_BY_METADATA = "search_by_metadata"
    GET_SECTION = "get_section"
    LOOKUP = "lookup"
    RELATED = "related"


@dataclass(frozen=True, slots=True)
class LibraryCall:
    """A call of the library, and how many passages it returned."""

    tool: Tool
    queries: tuple[str, ...]
    filters: tuple[str, ...]
    found: int
    took_ms: float

    @classmethod
    def since(
        cls,
        start: float,
        tool: Tool,
        queries: Iterable[str],
        found: int,
        filters: Iterable[str] = (),
    ) -> "LibraryCall":
        """Return a call that began at `start`, a time of `time.perf_counter`, and ends now."""
        milliseconds = round((time.perf_counter() - start) * 1000, 3)
        return cls(tool, tuple(queries), tuple(filters), found, milliseconds)


@dataclass(frozen=True, slots=True)
class Findings:
    """Results of research.

    `ranked` are the passages that answer the question, best first; `considered` are all passages.
    Without `consulted` there was no index, or no document that the caller may read.
    """

    ranked: tuple[FoundPassage, ...] = ()
    considered: tuple[FoundPassage, ...] = ()
    confidence: float = 0.0
    is_sufficient: bool = False
    missing: tuple[str, ...] = ()
    consulted: bool = False
    library_calls: tuple[LibraryCall, ...] = ()
    degraded: tuple[str, ...] = ()
    documents: tuple[Document, ...] = ()
    rejected: tuple[str, ...] = ()
    related: tuple[Document, ...] = ()
