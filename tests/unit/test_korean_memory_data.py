from copy import deepcopy
from typing import Any

import pytest

from scripts.check_korean_memory import (
    main,
    person_problems,
    question_problems,
    read,
    session_problems,
    set_problems,
    split_of,
)

TURNS = ["p1-s01-t01", "p1-s01-t02", "p1-s02-t01"]
GOOD: dict[str, Any] = {
    "id": "p1-q01",
    "split": split_of("p1", 1),
    "class": "contradiction",
    "question": "나 지금 어디 살아?",
    "answer": "왕십리",
    "evidence": ["p1-s02-t01"],
    "also": [],
    "stale": ["p1-s01-t01"],
}


@pytest.mark.parametrize("person", read(), ids=lambda person: person["person"]["id"])
def test_the_labels_of_a_person_hold(person: dict[str, Any]) -> None:
    assert list(person_problems(person)) == []


def test_the_set_is_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    assert capsys.readouterr().out.endswith(" 0 problems\n")


def test_a_good_question_has_no_problem() -> None:
    assert list(question_problems(GOOD, TURNS)) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"split": "train"}, "the split does not follow the id"),
        ({"id": "7"}, "the split does not follow the id"),
        ({"class": "guess"}, "unknown class 'guess'"),
        ({"question": "Where do I live?"}, "the question is not Korean"),
        ({"evidence": ["p1-s09-t01"]}, "no such turn: p1-s09-t01"),
        ({"also": ["p1-s02-t01"]}, "a turn is cited twice"),
        ({"answer": None}, "evidence and answer are given"),
        ({"class": "unanswerable"}, "evidence and answer are given"),
        ({"stale": []}, "a contradiction names the turn"),
        ({"class": "multi"}, "a question of class multi rests on two turns"),
        ({"evidence": ["p1-s01-t02"], "stale": ["p1-s02-t01"]}, "what is stale was said after"),
        ({"note": ""}, "fields differ: ['note']"),
    ],
)
def test_a_wrong_question_is_found(change: dict[str, Any], problem: str) -> None:
    (found,) = question_problems(GOOD | change, TURNS)
    assert found.startswith(problem)


def test_a_missing_turn_a_wrong_order_and_a_short_span_are_found() -> None:
    person = read()[0]
    shorter = deepcopy(person)
    del shorter["sessions"][2]["turns"][-1]
    assert list(session_problems(shorter)) == ["p1-s03: 9 turns, not 10"]
    swapped = deepcopy(person)
    first, second = swapped["sessions"][:2]
    first["started_at"], second["started_at"] = second["started_at"], first["started_at"]
    assert "p1: sessions are out of order or have no time zone" in session_problems(swapped)
    early = deepcopy(person)
    early["asked_at"] = early["sessions"][-1]["started_at"]
    assert list(session_problems(early)) == ["p1: asked before the last session"]


def test_a_set_that_is_small_or_leans_is_found() -> None:
    people = read()
    assert "4 people, not 5" in set_problems(people[:4])
    leaning = deepcopy(people)
    for person in leaning:
        person["questions"] = [q for q in person["questions"] if q["split"] == "held_out"]
    found = list(set_problems(leaning))
    assert any("are held out, not half" in text for text in found)
    assert any("fewer than 400" in text for text in found)
