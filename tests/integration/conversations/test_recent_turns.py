"""Recent turns, word for word, in what the model sees."""

import pytest

from benchmarks.doubles.models import ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.llm.ports import ModelRole
from tests.stack import Databases, new_stack


def answering(turns: int) -> ScriptedModels:
    return ScriptedModels({ModelRole.LITE: [f"답 {n}입니다." for n in range(turns)]})


@pytest.mark.requirement("WM1")
async def test_the_model_sees_the_last_turns_word_for_word(databases: Databases) -> None:
    models = answering(18)
    async with new_stack(databases, Fakes(models=models)) as stack, stack.working():
        for number in range(18):
            reply = await stack.say(f"질문 {number}", **{"Saegim-Session": "s"})
            if number % 5 == 0 and number > 0:
                await stack.folded(reply["session_id"], number)

    texts = [
        message.text for message in models.requests[-1].messages if "<turns-" not in message.text
    ]
    # Turns 11 to 17: the summary has fifteen, and five of them stay.
    assert texts[0] == "질문 10"
    assert texts[1] == "답 10입니다."
    assert texts[-1].endswith("질문 17")
    assert len(texts) == 15
    [summary] = models.requests[-1].blocks("summary")
    assert "사용자: 질문 9" in summary


@pytest.mark.requirement("WM2")
async def test_turns_that_are_not_folded_stay_in_the_context(databases: Databases) -> None:
    models = answering(9)
    async with new_stack(databases, Fakes(models=models)) as stack:
        for number in range(9):
            await stack.say(f"질문 {number}", **{"Saegim-Session": "s"})

    texts = [message.text for message in models.requests[-1].messages]
    assert [text.rpartition("\n")[2] for text in texts[::2]] == [f"질문 {n}" for n in range(9)]
