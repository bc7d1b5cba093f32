"""Ratings and corrections become test cases: labels, steps and masking."""

import csv
import tomllib
from io import StringIO
from uuid import UUID

import pytest
from hypothesis import given as drawn, strategies as st

from saegim.chat.feedback.types import Feedback, SharedFeedback, Thumb
from saegim.domain.scope import Scope
from saegim.evaluation.scenario import Scenario, Step
from saegim.evaluation.types import ExpectedFact
from saegim.evaluation.user_reports import Report, hidden, labelled, scenario, written

NOBODY = Scope(UUID(int=1), UUID(int=2), UUID(int=3))


def report(
    question: str = "현재 예산이 얼마야?",
    *,
    thumb: Thumb = "down",
    correction: str | None = None,
    reply: str = "",
    before: tuple[str, ...] = (),
    passages: tuple[str, ...] = (),
    documents: tuple[str, ...] = (),
) -> Report:
    given = SharedFeedback(NOBODY, UUID(int=4), Feedback(thumb, correction, for_evaluation=True))
    return Report(given, question, reply, before, correction, passages, documents)


def test_a_good_answer_labels_what_it_cited() -> None:
    rows = labelled(
        [
            report("환불은?", thumb="up", passages=("p1", "p2"), documents=("sop-1",)),
            report('교환, "반품"은?', thumb="up", documents=("sop-2",)),
            report("배송은?", thumb="down", passages=("p3",)),
        ]
    )
    assert [tuple(row.values()) for row in csv.DictReader(StringIO(rows))] == [
        ("환불은?", "p1", ""),
        ("환불은?", "p2", ""),
        ('교환, "반품"은?', "", "sop-2"),
    ]


def test_a_correction_of_what_was_said_asks_for_it_again() -> None:
    found = scenario(
        "one",
        report(
            correction="예산은 1.5억이에요",
            reply="예산은 1억이에요",
            before=("예산이 1억이에요", "예산이 1.5억으로 늘었어요"),
        ),
    )
    assert found is not None
    assert [step.say for step in found.steps[:-1]] == [
        "예산이 1억이에요",
        "예산이 1.5억으로 늘었어요",
    ]
    last = found.steps[-1]
    assert (last.ask, last.session) == ("현재 예산이 얼마야?", "first")
    assert last.facts == (ExpectedFact((("예산",),), ("1.5억",), ("1억",)),)


def test_a_correction_that_nobody_had_said_is_said_and_asked_for_later() -> None:
    found = scenario(
        "one",
        report("When is the launch?", correction="The launch is on 3 May", before=("Hello there",)),
    )
    assert found is not None
    assert found.language == "en"
    assert [step.say for step in found.steps] == ["Hello there", "The launch is on 3 May", None]
    assert found.steps[-1].session == "later"


@pytest.mark.parametrize("correction", [None, "그거 아니에요", "몰라"])
def test_what_states_no_value_is_no_scenario(correction: str | None) -> None:
    assert scenario("one", report(correction=correction)) is None


def test_what_must_not_leave_is_hidden() -> None:
    text = hidden("카드 4111 1111 1111 1111, 전화 010-1234-5678, 메일 na@example.com")
    assert text == "카드 [CARD_NUMBER], 전화 [PHONE], 메일 [EMAIL]"


WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)


@drawn(WORDS, WORDS, st.lists(WORDS, min_size=1, max_size=3))
def test_a_scenario_is_read_as_it_was_written(title: str, said: str, value: list[str]) -> None:
    fact = ExpectedFact((("a", "b"),), tuple(value), (said,))
    steps = (Step(say=said), Step(ask=title, facts=(fact,), session="later"))
    one = Scenario(id="one", title=title, language="ko", kind="reported", steps=steps)
    assert Scenario.model_validate({"id": "one"} | tomllib.loads(written(one))) == one
