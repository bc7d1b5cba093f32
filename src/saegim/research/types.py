"""What research is asked, and what it brings back."""

from dataclasses import dataclass
from enum import StrEnum

from saegim.library.types import Document, FoundPassage

MOST_CALLS = 3
"""Library calls of one question; a search with all its variants is one (TN3)."""


@dataclass(frozen=True, slots=True)
class Hints:
    """What a rule found in the message that the library has tags for (TN11)."""

    equipment: str | None = None
    module: str | None = None
    doc_type: str | None = None

    def names(self) -> tuple[str, ...]:
        return tuple(name for name in (self.equipment, self.module) if name)

    def as_json(self) -> dict[str, str]:
        found = {"equipment": self.equipment, "module": self.module, "doc_type": self.doc_type}
        return {key: value for key, value in found.items() if value}


@dataclass(frozen=True, slots=True)
class ResearchQuestion:
    """A message to find evidence for, with what the conversation adds to it.

    `standalone` is the message as it would be asked without the conversation, where it needs one;
    `calls` is how often the library may still be asked.
    """

    message: str
    standalone: str | None = None
    variants: tuple[str, ...] = ()
    hints: Hints = Hints()
    prefers: tuple[str, ...] = ()
    calls: int = MOST_CALLS


class Tool(StrEnum):
    """What the library is asked to do."""

    SEARCH_ALL = "search_all"
    SEARCH_BY_METADATA = "search_by_metadata"
    GET_SECTION = "get_section"
    LOOKUP = "lookup"
    RELATED = "related"


@dataclass(frozen=True, slots=True)
class LibraryCall:
    """One call of the library: what was asked, and how many passages it gave."""

    tool: Tool
    queries: tuple[str, ...]
    filters: tuple[str, ...]
    found: int
    took_ms: float


@dataclass(frozen=True, slots=True)
class Findings:
    """What research came to.

    `ranked` answers the question, best first; `considered` is everything that was seen. Without
    `consulted` there was nothing to search: no document that the caller may read, or no index.
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
