"""What a turn counts for, without a word of what was said (OP1)."""

from dataclasses import dataclass
from decimal import Decimal

from saegim.llm.model_call import Source
from saegim.usage.trace import TurnTrace

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
    asked = [call for call in trace.calls if call.source is Source.MODEL]
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
