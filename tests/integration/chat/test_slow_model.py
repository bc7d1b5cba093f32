"""A slow model is asked once per turn, with a short prompt, and not longer than agreed."""

import time
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.doubles.models import Pieces
from saegim.chat.types import TurnTimes
from saegim.llm.model_call import CallSource
from tests.integration.chat.library_stack import ask, assessor, scripted, stored_library_stack
from tests.stack import Databases

EC2 = "EC2 예약 인스턴스 할인은 얼마나 되나요?"
CITED = "예약 인스턴스는 최대 72% 할인을 받습니다 [1]."
SLOW = TurnTimes(whole=120.0, answer=60.0, first_token=60.0, step=30.0, asks_once=True)


def model_calls(reply: dict[str, Any]) -> list[str]:
    calls = reply["trace"]["calls"]
    return [call["step"] for call in calls if call["source"] == CallSource.MODEL]


async def test_a_slow_model_is_asked_for_the_answer_only(databases: Databases) -> None:
    models = scripted(assessor=assessor(), lite=lambda _: CITED, strong=lambda _: CITED)
    async with stored_library_stack(databases, models, turn_times=SLOW) as stack:
        reply = await ask(stack, EC2)
    async with stored_library_stack(databases, models, careful=True) as stack:
        usual = await ask(stack, EC2)

    assert model_calls(reply) == ["answer"]
    assert (reply["grounded"], [each["title"] for each in reply["citations"]]) == (
        True,
        ["EC2 비용 줄이기"],
    )
    assert len(model_calls(usual)) > 1
    assert reply["trace"]["context"]["budget"] < usual["trace"]["context"]["budget"]


@pytest.mark.parametrize("message", ["안녕하세요", "저는 부산에 살아요.", "12 곱하기 12는?"])
async def test_a_slow_model_answers_what_needs_no_documents_too(
    databases: Databases, message: str
) -> None:
    models = scripted(assessor=assessor(), lite=lambda _: "모델", strong=lambda _: "모델")
    async with stored_library_stack(databases, models, turn_times=SLOW) as stack:
        reply = await ask(stack, message)

    assert (model_calls(reply), reply["answer"]) == (["answer"], "모델")


async def test_rules_answer_when_a_slow_model_does_not_begin_in_time(databases: Databases) -> None:
    late = Pieces((CITED,), pause_seconds=60.0)
    models = scripted(assessor=assessor(), lite=lambda _: late, strong=lambda _: late)
    times = replace(SLOW, first_token=0.5)
    async with stored_library_stack(databases, models, turn_times=times) as stack:
        start = time.monotonic()
        reply = await ask(stack, EC2)
        seconds = time.monotonic() - start

    assert "72%" in reply["answer"]
    assert reply["citations"]
    assert reply["degraded"] == ["model"]
    assert seconds < 40, "the time limit of the first token, not of the turn"
