"""The share of escalated turns and the saving, from what turns recorded."""

from decimal import Decimal

import pytest

from saegim.llm.metering import price
from saegim.usage.escalation import AnswerCalls, escalation

LITE, STRONG = "gpt-5-nano", "gpt-5"


def calls(role: str, turns: int, *, escalated: bool = False, model: str = "") -> AnswerCalls:
    model = model or (STRONG if role == "strong" else LITE)
    tokens = (2_000 * turns, 300 * turns)
    cost = price(model, *tokens)
    return AnswerCalls(role, model, escalated, turns, *tokens, cost or Decimal(0))


@pytest.mark.requirement("TN12")
def test_the_saving_is_against_the_strong_model_writing_every_answer() -> None:
    found = escalation(
        [calls("lite", 80), calls("lite", 20, escalated=True), calls("strong", 20, escalated=True)]
    )
    assert (found.turns, found.escalated, found.share) == (100, 20, 0.2)
    strong_only = price(STRONG, 200_000, 30_000)
    assert strong_only is not None
    assert found.strong_only_usd == strong_only
    spent = (price(LITE, 200_000, 30_000) or 0) + (price(STRONG, 40_000, 6_000) or 0)
    assert found.saving == pytest.approx(float(1 - spent / strong_only))
    assert found.saving == pytest.approx(0.75, abs=0.05)


def test_an_escalated_draft_is_a_cost_and_not_a_turn() -> None:
    found = escalation([calls("lite", 5, escalated=True), calls("strong", 5, escalated=True)])
    assert (found.turns, found.share) == (5, 1.0)
    assert found.saving is not None
    assert found.saving < 0, "a draft that is never shown costs more than none"


def test_without_a_priced_strong_model_there_is_no_saving() -> None:
    assert escalation([]).share is None
    assert escalation([calls("lite", 3)]).saving is None
    own = [calls("lite", 3), calls("strong", 1, escalated=True, model="our-own")]
    assert (escalation(own).share, escalation(own).saving) == (0.25, None)
