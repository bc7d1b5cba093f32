"""A conversation without a model: small talk, memory requests, history, tables."""

import asyncio
from typing import Any

from tests.integration.chat.library_stack import ask, library_stack
from tests.stack import Databases, Stack

PLANS = """# 요금제와 한도

| 요금제 | 월 요금 | 사용자 |
| --- | --- | --- |
| 무료 | 0원 | 2명 |
| 팀 | 290,000원 | 10명 |
| 비즈니스 | 1,200,000원 | 50명 |
"""


async def records(stack: Stack) -> list[str]:
    response = await stack.http.get("/v1/memories", headers=stack.headers())
    return [each["content"] for each in response.json()["memories"]]


async def remembers(stack: Stack, count: int) -> None:
    async with asyncio.timeout(120):
        while len(await records(stack)) != count:
            await asyncio.sleep(0.1)


async def test_a_user_tells_asks_corrects_and_forgets(stack: Stack) -> None:
    async with stack.working():
        told = await stack.say("저는 땅콩 알레르기가 있어요.")
        assert told["answer"].startswith("기억해 두겠습니다: “저는 땅콩 알레르기가 있어요”")
        await remembers(stack, 1)
        asked = await stack.say("나 뭐 못 먹지?", **{"Saegim-Session": "later"})
        assert "땅콩" in asked["answer"]
        assert [each["kind"] for each in asked["citations"]] == ["memory"]
        listed = await stack.say("나에 대해 아는 거 다 말해줘", **{"Saegim-Session": "later"})
        assert "땅콩" in listed["answer"]

        forgotten = await stack.say("땅콩 알레르기 얘기는 잊어줘", **{"Saegim-Session": "later"})
        assert forgotten["answer"].startswith("“저는 땅콩 알레르기가 있어요”, 잊을까요?")
        forgotten = await stack.say("네", **{"Saegim-Session": "later"})
        assert forgotten["answer"].startswith("잊었습니다: “저는 땅콩 알레르기가 있어요”.")
        assert await records(stack) == []
        again = await stack.say("나 뭐 못 먹지?", **{"Saegim-Session": "later"})
        assert "땅콩" not in again["answer"]
        assert again["answer"].startswith("아직 말씀해 주신 적이 없습니다.")
        history = await stack.say("방금 내가 뭐라고 했지?", **{"Saegim-Session": "later"})
        assert "땅콩" not in history["answer"]


async def test_forgetting_a_new_value_does_not_bring_back_the_old_one(stack: Stack) -> None:
    async with stack.working():
        await stack.say("I live in Rotterdam")
        await remembers(stack, 1)
        await stack.say("Actually I've moved to Utrecht")
        async with asyncio.timeout(120):
            while "Utrecht" not in "".join(await records(stack)):
                await asyncio.sleep(0.1)
        session = {"Saegim-Session": "later"}
        await stack.say("please forget where I live", **session)
        await stack.say("yes", **session)
        assert await records(stack) == []
        asked = await stack.say("where do I live?", **session)
    assert "Rotterdam" not in asked["answer"]
    assert "Utrecht" not in asked["answer"]


async def test_history_is_told(stack: Stack) -> None:
    session = {"Saegim-Session": "history"}
    for message in ("연차는 며칠이야?", "회의실은 어디야?", "고마워!"):
        await stack.say(message, **session)
    last = await stack.say("방금 내가 뭐 물어봤지?", **session)
    first = await stack.say("처음에 뭐라고 물어봤지?", **session)
    assert "회의실은 어디야?" in last["answer"]
    assert "연차는 며칠이야?" in first["answer"]


async def test_small_talk_suggests_questions_and_quotes_nothing(databases: Databases) -> None:
    async with library_stack(databases, files={"plans.md": PLANS}) as stack:
        hello = await ask(stack, "안녕하세요")
        thanks = await ask(stack, "고마워요!")
    assert "요금제와 한도" in hello["answer"]
    assert hello["citations"] == []
    assert thanks["answer"] == "천만에요! 더 궁금한 점이 있으면 물어봐 주세요."


async def test_a_cell_of_a_table_leads_the_answer(databases: Databases) -> None:
    async with library_stack(databases, files={"plans.md": PLANS}) as stack:
        price = await ask(stack, "저는 판교에서 일해요. 팀 요금제는 한 달에 얼마예요?")
        other = await ask(stack, "비즈니스는?")
    assert _lines(price)[0].startswith("기억해 두겠습니다: “저는 판교에서 일해요”")
    assert _lines(price)[1] == "취소하려면 ‘방금 건 잊어 줘’라고 말씀해 주세요."
    assert _lines(price)[2] == "팀, 월 요금: **290,000원** [1]"
    assert _lines(other)[0] == "비즈니스, 월 요금: **1,200,000원** [1]"


def _lines(reply: dict[str, Any]) -> list[str]:
    return [line for line in reply["answer"].splitlines() if line]
