"""The trace of a turn, recorded by its stages, and its analytics event."""

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
    """Start and duration of a stage, in milliseconds."""

    name: str
    began_ms: float
    took_ms: float


@dataclass(frozen=True, slots=True)
class BlockUse:
    """A block of the context: its size, budget and dropped items."""

    name: str
    tokens: int
    budget: int
    items: int
    dropped: int


@dataclass(frozen=True, slots=True)
class ContextUse:
    """The size and budget of the context, which a long message may raise."""

    tokens: int
    budget: int
    raised: bool


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """The working memory of a turn, and its source."""

    source: str
    completed_turns: int
    summary_version: int
    summarised_through: int


@dataclass(frozen=True, slots=True)
class RouteUse:
    """The route of the message, why, and the queries."""

    reason: str
    lookup_source: str | None = None
    standalone: str | None = None
    variants: tuple[str, ...] = ()
    hints: Mapping[str, str] = field(default_factory=dict[str, str])
    doubts: tuple[str, ...] = ()
    """Why the search was reviewed before the answer; empty if the answer started at once."""


@dataclass(frozen=True, slots=True)
class SearchUse:
    tool: str
    queries: tuple[str, ...]
    filters: tuple[str, ...]
    found: int
    took_ms: float


@dataclass(frozen=True, slots=True)
class FindingsUse:
    """The assessment of the search results. `by_rule` is the confidence before a model's review."""

    confidence: float
    is_sufficient: bool
    missing: tuple[str, ...]
    consulted: bool
    by_rule: float = 0.0


@dataclass(frozen=True, slots=True)
class ItemUse:
    """A candidate passage, memory or fact: its fate and scores."""

    kind: str
    id: str
    title: str
    fate: str
    tokens: int
    signals: Mapping[str, float] = field(default_factory=dict[str, float])
    turn: str | None = None
    team: bool = False


@dataclass(frozen=True, slots=True)
class EgressUse:
    """The memories in the prompt by type, and those that must not leave to the models."""

    records: Mapping[str, int] = field(default_factory=dict[str, int])
    pinned: int = 0
    withheld: int = 0


@dataclass(frozen=True, slots=True)
class ToolUse:
    tool: str
    state: str
    provider: str | None
    reason: str | None
    took_ms: float
    added: bool


@dataclass(frozen=True, slots=True)
class AnswerUse:
    """The model that answered and why, with the draft's score and check."""

    outcome: str
    choice: str
    reasons: tuple[str, ...] = ()
    self_score: float | None = None
    check: Mapping[str, Any] | None = None
    markers_removed: int = 0
    links_removed: int = 0
    grounded: bool | None = None
    """Whether a model's answer from documents cites a source and states no value without one; None
    if it is not from documents."""
    sentences: int = 0
    """Sentences of a model's answer that state something, and those of them with a source."""
    supported_sentences: int = 0
    gap: str | None = None
    """What the documents lack, although a model answered: the outcome that it counts as."""


@dataclass(frozen=True, slots=True)
class OtherPlace:
    """Another document with a cited text: its own id and its title."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class CitationUse:
    """The target of a citation marker; `stale_since` is an ISO time; `team`: a shared memory."""

    marker: str
    kind: str
    id: str
    title: str
    document: str | None = None
    url: str | None = None
    turn: str | None = None
    section: str | None = None
    locator: Mapping[str, int | str] | None = None
    also_in: tuple[OtherPlace, ...] = ()
    stale_since: str | None = None
    team: bool = False


@dataclass(slots=True)
class TurnTrace:
    """Filled by the stages of a turn."""

    attempt: int = 1
    route: str = "general"
    routing: RouteUse | None = None
    masked: tuple[str, ...] = ()
    rejected_doc_ids: Sequence[str] = ()
    degraded: list[str] = field(default_factory=list[str])
    searches: list[SearchUse] = field(default_factory=list[SearchUse])
    findings: FindingsUse | None = None
    items: list[ItemUse] = field(default_factory=list[ItemUse])
    tools: list[ToolUse] = field(default_factory=list[ToolUse])
    answer: AnswerUse | None = None
    citations: list[CitationUse] = field(default_factory=list[CitationUse])
    excerpts: Mapping[str, str] = field(default_factory=dict[str, str])
    """The texts of the citations by marker, for the reply. They are not stored with the trace, so
    that nothing deleted stays in it."""
    refs: Sequence[str] = ()
    ref_doc_ids: Sequence[str] = ()
    related: Sequence[str] = ()
    calls: list[ModelCall] = field(default_factory=list[ModelCall])
    blocks: list[BlockUse] = field(default_factory=list[BlockUse])
    context: ContextUse | None = None
    egress: EgressUse | None = None
    """What a model may have read of memory; None if none was asked."""
    working_memory: MemoryUse | None = None
    proposal: Mapping[str, Any] | None = None
    """What the turn proposed to forget, by ids; a yes as the next message does it."""
    effects: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    """What the turn did to memory, by ids."""
    handed_off: bool = False
    """Whether the turn offers help by people."""
    prepared: int = 0
    """Changes of memory that are applied if the turn ends well."""
    memory_off: bool = False
    """Whether long-term memory was off for this turn."""
    spans: list[StageSpan] = field(default_factory=list[StageSpan])
    _began: float = field(default_factory=time.perf_counter)

    @contextmanager
    def span(self, name: str) -> Generator[None]:
        """Time a stage, even if it fails."""
        started = time.perf_counter()
        try:
            with spans.span(name):
                yield
        finally:
            took = time.perf_counter() - started
            began_ms = round((started - self._began) * 1000, 3)
            self.spans.append(StageSpan(name, began_ms, round(took * 1000, 3)))

    def note_degraded(self, part: str) -> None:
        if part not in self.degraded:
            self.degraded.append(part)

    def elapsed_ms(self) -> int:
        return round((time.perf_counter() - self._began) * 1000)

    def cost_usd(self) -> Decimal:
        return sum((call.cost_usd or Decimal(0) for call in self.calls), Decimal(0))

    def known_cost_usd(self) -> Decimal | None:
        """Return the cost, or None if there were calls and none of them has a known price."""
        if self.calls and all(call.cost_usd is None for call in self.calls):
            return None
        return self.cost_usd()

    def models(self) -> list[str]:
        return list(dict.fromkeys(c.model for c in self.calls if c.source is CallSource.MODEL))

    def as_json(self) -> dict[str, Any]:
        """Return what is stored."""
        stored = asdict(self, dict_factory=_json) | {"cost_usd": str(self.cost_usd())}
        del stored["excerpts"], stored["prepared"]
        return stored


def _json(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the public fields; amounts of money as text."""
    return {
        name: str(value) if isinstance(value, Decimal) else value
        for name, value in pairs
        if not name.startswith("_")
    }


AI_INTERACTION = "AI_INTERACTION"
UNANSWERED = frozenset({"nothing_ready", "nothing_found", "tools_failed", "abstained", "failed"})


@dataclass(frozen=True, slots=True)
class CallUse:
    """A model call of a turn in the event."""

    step: str
    role: str
    model: str
    input_tokens: int
    output_tokens: int
    cost_usd: str | None
    """None if the price of the model is unknown."""


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
    cost_usd: Decimal | None
    degraded: tuple[str, ...]
    calls: tuple[CallUse, ...] = ()


def interaction(trace: TurnTrace, outcome: str) -> Interaction:
    calls = [call for call in trace.calls if call.source is CallSource.MODEL]
    answers = [call for call in calls if call.step in ("answer", "draft")]
    return Interaction(
        route=trace.route,
        outcome=outcome,
        model_used=answers[-1].model if answers else None,
        escalated=any(call.role == "strong" for call in calls),
        rag_hits=sum(item.kind == "passage" and item.fate == "injected" for item in trace.items),
        library_calls=len(trace.searches),
        model_calls=len(calls),
        tools_used=tuple(tool.tool for tool in trace.tools if tool.state == "ok"),
        self_score=trace.answer.self_score if trace.answer else None,
        latency_ms=trace.elapsed_ms(),
        input_tokens=sum(call.input_tokens for call in trace.calls),
        output_tokens=sum(call.output_tokens for call in trace.calls),
        cost_usd=trace.known_cost_usd(),
        degraded=tuple(trace.degraded),
        calls=tuple(
            CallUse(
                call.step,
                call.role,
                call.model,
                call.input_tokens,
                call.output_tokens,
                None if call.cost_usd is None else str(call.cost_usd),
            )
            for call in calls
        ),
    )
