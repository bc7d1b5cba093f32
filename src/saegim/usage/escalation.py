"""Share of answers by the strong model, and the saving against always using it."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from saegim.llm.metering import price

STRONG = "strong"


@dataclass(frozen=True, slots=True)
class AnswerCalls:
    """Sums over one model's drafts and answers, for escalated turns or others."""

    role: str
    model: str
    escalated: bool
    turns: int
    input_tokens: int
    output_tokens: int
    cost_usd: Decimal


@dataclass(frozen=True, slots=True)
class Escalation:
    """The report; `share` is None without a turn.

    `strong_only_usd` and `saving` are None without escalated turns or a list price."""

    turns: int
    escalated: int
    share: float | None
    strong_model: str | None
    cost_usd: Decimal
    strong_only_usd: Decimal | None
    saving: float | None


def escalation(calls: Sequence[AnswerCalls]) -> Escalation:
    """Compare the cost with that of answering every turn with the strong model.

    Assumes the same tokens for either model; drafts of escalated turns count as extra cost."""
    # An escalated turn has a row for its draft and one for the strong model.
    turns = sum(call.turns for call in calls if not call.escalated or call.role == STRONG)
    strong = [call for call in calls if call.role == STRONG]
    strong_model = max(strong, key=lambda call: call.turns).model if strong else None
    escalated = sum(call.turns for call in strong)
    cost = sum((call.cost_usd for call in calls), Decimal(0))
    strong_only = _strong_only(calls, strong_model)
    return Escalation(
        turns=turns,
        escalated=escalated,
        share=escalated / turns if turns else None,
        strong_model=strong_model,
        cost_usd=cost,
        strong_only_usd=strong_only,
        saving=float(1 - cost / strong_only) if strong_only else None,
    )


def _strong_only(calls: Sequence[AnswerCalls], strong_model: str | None) -> Decimal | None:
    if strong_model is None:
        return None
    total = Decimal(0)
    for call in calls:
        if call.role == STRONG:
            total += call.cost_usd
        elif not call.escalated:
            cost = price(strong_model, call.input_tokens, call.output_tokens)
            if cost is None:
                return None
            total += cost
    return total
