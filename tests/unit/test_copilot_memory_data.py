from copy import deepcopy
from typing import Any

import pytest

from scripts.check_copilot_memory import (
    main,
    question_problems,
    read,
    reply_problems,
    session_problems,
    set_problems,
)

CONVERSATIONS = read()
TOLD = CONVERSATIONS[0]


def question(kind: str) -> dict[str, Any]:
    return deepcopy(next(each for each in TOLD["questions"] if each["class"] == kind))


def test_the_set_has_no_problems(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    assert capsys.readouterr().out.endswith(" 0 problems\n")


@pytest.mark.parametrize(
    ("kind", "change", "problem"),
    [
        ("single", {"class": "guess"}, "unknown id or class 'guess'"),
        ("single", {"evidence": ["en01-s99-t01"]}, "no such turn: en01-s99-t01"),
        ("single", {"evidence": []}, "evidence and answer are given"),
        ("single", {"question": "어디 살아?"}, "the question is in the wrong language"),
        ("single", {"stale": ["en01-s13-t01"]}, "what is stale was said after the evidence"),
        ("deletion", {"gone": ["elephant"]}, "'elephant' is not in the deleted turns"),
        ("absence", {"answer": "no"}, "evidence and answer are given"),
    ],
)
def test_a_wrong_label_is_found(kind: str, change: dict[str, Any], problem: str) -> None:
    found = list(question_problems(question(kind) | change, TOLD))
    assert any(text.startswith(problem) for text in found)


def test_a_turn_out_of_place_is_found() -> None:
    told = deepcopy(TOLD)
    told["sessions"].reverse()
    assert any("out of order" in text for text in session_problems(told))


def test_short_replies_are_found() -> None:
    told = deepcopy(TOLD)
    for session in told["sessions"]:
        for turn in session["turns"]:
            turn["reply"] = "ok"
    assert list(reply_problems(told)) == ["en01: only 0 long replies"]


def test_uneven_halves_are_found() -> None:
    told = deepcopy(CONVERSATIONS)
    told[0]["split"] = "held_out"
    assert any(text.startswith("split") for text in set_problems(told))
