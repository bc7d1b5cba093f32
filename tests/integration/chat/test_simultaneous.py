"""Turns of one session that arrive together."""

import asyncio

import pytest

from benchmarks.doubles.models import RecordedRequest, ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.llm.ports import ModelRole
from tests.sizes import sized
from tests.stack import Databases, new_stack

PAIRS = sized(60, 200)


def echo(shown: RecordedRequest) -> str:
    return f"들었습니다: {shown.messages[-1].text.rpartition(chr(10))[2]}"


@pytest.mark.sized
async def test_pairs_of_simultaneous_turns_are_stored_and_ordered(databases: Databases) -> None:
    fakes = Fakes(models=ScriptedModels({ModelRole.LITE: echo}))
    async with new_stack(databases, fakes) as stack:
        session = ""
        for pair in range(PAIRS):
            replies = await asyncio.gather(
                stack.say(f"왼쪽 {pair}", **{"Saegim-Session": "s"}),
                stack.say(f"오른쪽 {pair}", **{"Saegim-Session": "s"}),
            )
            session = replies[0]["session_id"]
        turns: list[dict[str, str]] = []
        after: int | None = 0
        while after is not None:
            page = await stack.http.get(
                f"/v1/sessions/{session}/turns", params={"after": after}, headers=stack.headers()
            )
            turns += page.json()["turns"]
            after = page.json()["next_after"]
        context = await stack.context(session)

    assert [turn["number"] for turn in turns] == list(range(1, 2 * PAIRS + 1))
    assert all(turn["answer"].endswith(turn["message"]) for turn in turns)
    assert {turn["message"] for turn in turns} == {
        f"{side} {pair}" for side in ("왼쪽", "오른쪽") for pair in range(PAIRS)
    }
    last = [said["number"] for said in context["recent"]][-5:]
    assert last == list(range(2 * PAIRS - 4, 2 * PAIRS + 1))
