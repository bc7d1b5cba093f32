"""What `saegim model` prints about test calls: who takes tools, and what turns cost."""

from decimal import Decimal
from typing import Any

import pytest

from saegim.cli.models import show_checks
from saegim.client.types import ModelCheck


def check(role: str, **more: Any) -> ModelCheck:
    values = {
        "model": "m",
        "ok": True,
        "seconds": 1.0,
        "fault": None,
        "status": None,
        "message": None,
        "input_price": Decimal("0.25"),
        "output_price": Decimal(2),
        "usd_per_1000_turns": Decimal(0),
    }
    return ModelCheck(role=role, **values | more)


def printed(capsys: pytest.CaptureFixture[str], *checks: ModelCheck) -> str:
    show_checks(checks)
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(("takes", "word"), [(True, "yes"), (False, "no")])
def test_roles_of_one_model_are_one_row_that_says_whether_it_takes_tools(
    capsys: pytest.CaptureFixture[str], takes: bool, word: str
) -> None:
    answers = check("lite", takes_tools=takes, usd_per_1000_turns=Decimal("1.45"))
    text = printed(capsys, check("judge"), answers)
    assert f"judge, lite m ok {word} 1.0 0.25 / 2.00" in text
    assert "Estimated cost of 1,000 turns: USD 1.45" in text


def test_an_unknown_price_is_said_to_be_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    unknown = {"input_price": None, "output_price": None, "usd_per_1000_turns": None}
    text = printed(capsys, check("lite", takes_tools=True, **unknown), check("judge"))
    assert "Cost of 1,000 turns: unknown" in text
    assert "Estimated" not in text


def test_models_that_answer_nothing_or_fail_have_no_cost(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "1,000 turns" not in printed(capsys, check("judge"))
    assert "1,000 turns" not in printed(capsys, check("lite", ok=False))
