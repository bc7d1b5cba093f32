"""How many answers the strong model wrote, and what that saved against asking it every time."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from saegim.llm.metering import price

STRONG = "strong"


@dataclass(frozen=True, slots=True)
class AnswerCalls:
    """Drafts and answers of one model, summed; apart for turns that escalated and others."""

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

    The strong model is the one that escalated turns used. Without one, or where it has no list
    price, `strong_only_usd` and `saving` are None.
    """

    turns: int
    escalated: int
    share: float | None
    strong_model: str | None
    cost_usd: Decimal
    strong_only_usd: Decimal | None
    saving: float | None


def escalation(calls: Sequence[AnswerCalls]) -> Escalation:
    """Price what the strong model would have cost for every answer that it did not write.

    An answer keeps its tokens whoever writes it. Where a turn escalated, its draft is a cost that
    asking the strong model at once would have spared.
    """
    # A turn that escalated has a row for its draft and one for the strong model.
    turns = sum(one.turns for one in calls if not one.escalated or one.role == STRONG)
    strong = [one for one in calls if one.role == STRONG]
    strong_model = max(strong, key=lambda one: one.turns).model if strong else None
    escalated = sum(one.turns for one in strong)
    cost = sum((one.cost_usd for one in calls), Decimal(0))
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
    for one in calls:
        if one.role == STRONG:
            total += one.cost_usd
        elif not one.escalated:
            dear = price(strong_model, one.input_tokens, one.output_tokens)
            if dear is None:
                return None
            total += dear
    return total
