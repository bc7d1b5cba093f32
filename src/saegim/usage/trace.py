"""Why a turn came out as it did: recorded while it runs, stored with it."""

import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from typing import Any

from saegim.usage.calls import ModelCall


@dataclass(frozen=True, slots=True)
class Span:
    """One stage of the turn: when it began and how long it took, in milliseconds."""

    name: str
    began_ms: float
    took_ms: float


@dataclass(frozen=True, slots=True)
class BlockUse:
    """One block of the assembled context: its size, its budget, and what it left out."""

    name: str
    tokens: int
    budget: int
    items: int
    dropped: int


@dataclass(frozen=True, slots=True)
class ContextUse:
    """The whole context: its size and its budget, which a long message may have raised."""

    tokens: int
    budget: int
    raised: bool


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """The working memory that a turn was answered with, and where it came from."""

    source: str
    recorded: int
    folds: int
    folded_through: int


@dataclass(slots=True)
class TurnTrace:
    """Filled by the stages of a turn."""

    attempt: int = 1
    route: str = "general"
    masked: tuple[str, ...] = ()
    rejected_doc_ids: Sequence[str] = ()
    calls: list[ModelCall] = field(default_factory=list[ModelCall])
    blocks: list[BlockUse] = field(default_factory=list[BlockUse])
    context: ContextUse | None = None
    working_memory: MemoryUse | None = None
    spans: list[Span] = field(default_factory=list[Span])
    degraded: list[str] = field(default_factory=list[str])
    _began: float = field(default_factory=time.perf_counter)

    @contextmanager
    def span(self, name: str) -> Generator[None]:
        """Times a stage, whether it succeeds or not."""
        began = time.perf_counter()
        try:
            yield
        finally:
            now = time.perf_counter()
            self.spans.append(
                Span(name, round((began - self._began) * 1000, 3), round((now - began) * 1000, 3))
            )

    def note_degraded(self, part: str) -> None:
        if part not in self.degraded:
            self.degraded.append(part)

    def as_json(self) -> dict[str, Any]:
        """The trace as stored and shown."""
        return {
            "attempt": self.attempt,
            "route": self.route,
            "masked": list(self.masked),
            "rejected_doc_ids": list(self.rejected_doc_ids),
            "degraded": list(self.degraded),
            "calls": [_plain(asdict(call)) for call in self.calls],
            "blocks": [asdict(block) for block in self.blocks],
            "context": None if self.context is None else asdict(self.context),
            "working_memory": None if self.working_memory is None else asdict(self.working_memory),
            "spans": [asdict(span) for span in self.spans],
        }


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {
        key: str(value) if isinstance(value, Decimal) else value for key, value in values.items()
    }
