"""Why a turn came out as it did and what it counts for: recorded while it runs, stored with it."""

import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from typing import Any

from saegim.llm.model_call import CallSource, ModelCall
from saegim.telemetry import spans


@dataclass(frozen=True, slots=True)
class StageSpan:
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
    completed_turns: int
    summary_version: int
    summarised_through: int


@dataclass(frozen=True, slots=True)
class RouteUse:
    """Which way the message went, why, and what it was searched as."""

    reason: str
    lookup_source: str | None = None
    standalone: str | None = None
    variants: tuple[str, ...] = ()
    hints: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class SearchUse:
    """One call of the library."""

    tool: str
    queries: tuple[str, ...]
    filters: tuple[str, ...]
    found: int
    took_ms: float


@dataclass(frozen=True, slots=True)
class FindingsUse:
    """What research thought of what it found."""

    confidence: float
    is_sufficient: bool
    missing: tuple[str, ...]
    consulted: bool


@dataclass(frozen=True, slots=True)
class ItemUse:
    """A passage, a memory or a fact that was considered: whether it came in, and its scores."""

    kind: str
    id: str
    title: str
    fate: str
    tokens: int
    signals: Mapping[str, float] = field(default_factory=dict[str, float])
    turn: str | None = None


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One use of an outside tool."""

    tool: str
    state: str
    provider: str | None
    reason: str | None
    took_ms: float
    added: bool


@dataclass(frozen=True, slots=True)
class AnswerUse:
    """Who answered and why: what was decided before, what the draft and its check said."""

    outcome: str
    choice: str
    reasons: tuple[str, ...] = ()
    self_score: float | None = None
    check: Mapping[str, Any] | None = None
    markers_removed: int = 0
    links_removed: int = 0


@dataclass(frozen=True, slots=True)
class CitationUse:
    """What a marker in the answer points at."""

    marker: str
    kind: str
    id: str
    title: str
    document: str | None = None
    url: str | None = None
    turn: str | None = None


@dataclass(slots=True)
class TurnTrace:
    """Filled by the stages of a turn."""

    attempt: int = 1
    route: str = "general"
    masked: tuple[str, ...] = ()
    rejected_doc_ids: Sequence[str] = ()
    routing: RouteUse | None = None
    findings: FindingsUse | None = None
    answer: AnswerUse | None = None
    refs: Sequence[str] = ()
    ref_doc_ids: Sequence[str] = ()
    related: Sequence[str] = ()
    calls: list[ModelCall] = field(default_factory=list[ModelCall])
    searches: list[SearchUse] = field(default_factory=list[SearchUse])
    items: list[ItemUse] = field(default_factory=list[ItemUse])
    tools: list[ToolUse] = field(default_factory=list[ToolUse])
    citations: list[CitationUse] = field(default_factory=list[CitationUse])
    blocks: list[BlockUse] = field(default_factory=list[BlockUse])
    context: ContextUse | None = None
    working_memory: MemoryUse | None = None
    spans: list[StageSpan] = field(default_factory=list[StageSpan])
    degraded: list[str] = field(default_factory=list[str])
    _began: float = field(default_factory=time.perf_counter)

    @contextmanager
    def span(self, name: str) -> Generator[None]:
        """Times a stage, whether it succeeds or not."""
        began = time.perf_counter()
        try:
            with spans.span(name):
                yield
        finally:
            now = time.perf_counter()
            self.spans.append(
                StageSpan(
                    name, round((began - self._began) * 1000, 3), round((now - began) * 1000, 3)
                )
            )

    def note_degraded(self, part: str) -> None:
        if part not in self.degraded:
            self.degraded.append(part)

    def elapsed_ms(self) -> int:
        """Milliseconds since the turn began."""
        return round((time.perf_counter() - self._began) * 1000)

    def cost_usd(self) -> Decimal:
        """What the models cost, as far as prices are known."""
        return sum((call.cost_usd or Decimal(0) for call in self.calls), Decimal(0))

    def models(self) -> list[str]:
        """The models that answered, in order."""
        return list(dict.fromkeys(c.model for c in self.calls if c.source is CallSource.MODEL))

    def as_json(self) -> dict[str, Any]:
        """The trace as stored and shown."""
        return {
            "attempt": self.attempt,
            "route": self.route,
            "routing": _whole(self.routing),
            "masked": list(self.masked),
            "rejected_doc_ids": list(self.rejected_doc_ids),
            "degraded": list(self.degraded),
            "searches": [asdict(search) for search in self.searches],
            "findings": _whole(self.findings),
            "items": [asdict(item) for item in self.items],
            "tools": [asdict(tool) for tool in self.tools],
            "answer": _whole(self.answer),
            "citations": [asdict(citation) for citation in self.citations],
            "refs": list(self.refs),
            "ref_doc_ids": list(self.ref_doc_ids),
            "related": list(self.related),
            "calls": [_plain(asdict(call)) for call in self.calls],
            "cost_usd": str(self.cost_usd()),
            "blocks": [asdict(block) for block in self.blocks],
            "context": _whole(self.context),
            "working_memory": _whole(self.working_memory),
            "spans": [asdict(span) for span in self.spans],
        }


def _whole(
    used: RouteUse | FindingsUse | AnswerUse | ContextUse | MemoryUse | None,
) -> dict[str, Any] | None:
    return None if used is None else asdict(used)


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {
        key: str(value) if isinstance(value, Decimal) else value for key, value in values.items()
    }


AI_INTERACTION = "AI_INTERACTION"

UNANSWERED = frozenset({"nothing_ready", "nothing_found", "tools_failed", "abstained", "failed"})


@dataclass(frozen=True, slots=True)
class CallUse:
    """What one model call of a turn counts for."""

    step: str
    role: str
    model: str
    input_tokens: int
    output_tokens: int
    cost_usd: str


@dataclass(frozen=True, slots=True)
class Interaction:
    """The analytics event `AI_INTERACTION` of one turn."""

    route: str
    outcome: str
    model_used: str | None
    escalated: bool
    rag_hits: int
    library_calls: int
    model_calls: int
    tools_used: tuple[str, ...]
    self_score: float | None
    latency_ms: int
    input_tokens: int
    output_tokens: int
    cost_usd: Decimal
    degraded: tuple[str, ...]
    calls: tuple[CallUse, ...] = ()


def interaction(trace: TurnTrace, outcome: str) -> Interaction:
    """A turn's event, from its trace."""
    asked = [call for call in trace.calls if call.source is CallSource.MODEL]
    spoken = [call for call in asked if call.step in ("answer", "draft")]
    return Interaction(
        route=trace.route,
        outcome=outcome,
        model_used=spoken[-1].model if spoken else None,
        escalated=any(call.role == "strong" for call in asked),
        rag_hits=sum(item.kind == "passage" and item.fate == "injected" for item in trace.items),
        library_calls=len(trace.searches),
        model_calls=len(asked),
        tools_used=tuple(tool.tool for tool in trace.tools if tool.state == "ok"),
        self_score=trace.answer.self_score if trace.answer else None,
        latency_ms=trace.elapsed_ms(),
        input_tokens=sum(call.input_tokens for call in trace.calls),
        output_tokens=sum(call.output_tokens for call in trace.calls),
        cost_usd=trace.cost_usd(),
        degraded=tuple(trace.degraded),
        calls=tuple(
            CallUse(
                call.step,
                call.role,
                call.model,
                call.input_tokens,
                call.output_tokens,
                str(call.cost_usd or 0),
            )
            for call in asked
        ),
    )
