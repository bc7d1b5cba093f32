"""Answers of the bot: shown while they grow, split, corrected, deleted."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from benchmarks.doubles.discord import until
from benchmarks.doubles.discord_objects import DiscordUser
from benchmarks.doubles.models import Pieces, RecordedRequest, Reply
from saegim.app.infrastructure import Fakes
from saegim.channels.discord.answers import EDIT_SECONDS
from saegim.llm.bundled_embedders import BundledEmbedder
from tests.integration.channels.discord.bot_fixture import (
    GENERAL,
    MINJI,
    SEOUL,
    Stage,
    on_stage,
    remembering,
)
from tests.integration.library.conftest import bring_in
from tests.sizes import sized
from tests.stack import Databases

pytestmark = pytest.mark.requirement("CH4")

CODE = "\n".join(f"print('{number:03}번째 줄입니다')" for number in range(180))
LONG = f"자세히 설명할게요.\n\n```python\n{CODE}\n```\n\n" + "그리고 이어서 설명합니다. " * 100


REFUND = """---
id: gcb-7
type: gcb
title: 환불 안내
---
# 환불 안내

환불은 구매 후 7일 안에 됩니다.
"""


# Set when the beginning of a slow answer was seen.
SHOWN = asyncio.Event()


def script(shown: RecordedRequest) -> Reply:
    asked = shown.messages[-1].text.splitlines()[-1]
    if "길게" in asked:
        return LONG
    if "천천히" in asked:
        first, *rest = (f"{number}번째 조각. " for number in range(6))
        return Pieces((first,), then=Pieces(tuple(rest), 0.5, begin=SHOWN))
    if "오래" in asked:
        return Pieces(tuple("아직" for _ in range(20_000)), pause_seconds=0.1)
    return f"답: {asked}"


@pytest.fixture(scope="module")
async def stage(databases: Databases) -> AsyncIterator[Stage]:
    async with on_stage(databases, remembering(script, "나는 아침마다")) as stage:
        own = stage.bot.lines.own(SEOUL)
        assert own is not None
        await own.change_guild(str(SEOUL), user_per_minute=1000, guild_per_minute=1000)
        yield stage


def of(stage: Stage, message: int) -> list[str]:
    return [each.text for each in stage.bot.speaking._known[message].answer.sent]


async def test_what_was_remembered_stands_below_the_answer(stage: Stage) -> None:
    message = await stage.ask("나는 아침마다 산책을 해")
    await stage.answered(message)
    assert of(stage, message)[-1].endswith("\n-# 기억함: 나는 아침마다 산책을 해")


async def test_an_answer_of_five_thousand_characters_comes_in_pages(stage: Stage) -> None:
    assert len(LONG) > 5_000
    message = await stage.ask("길게 설명해 줘")
    await stage.answered(message)
    pages = of(stage, message)
    assert len(pages) == 3
    assert all(len(page) <= 2_000 and page.count("```") % 2 == 0 for page in pages)
    assert "".join("".join(pages).replace("```python", "").replace("```", "").split()) == "".join(
        LONG.replace("```python", "").replace("```", "").split()
    )
    assert stage.discord.said(GENERAL)[-len(pages) :] == pages
    assert not [each for each in stage.discord.requests if each.status == 400]
    speaking = stage.bot.speaking
    assert (len(speaking._streaming), len(speaking._slots)) == (0, 0), (
        "nothing is kept of a channel"
    )


async def test_an_answer_is_shown_while_it_is_written(stage: Stage) -> None:
    before, began = len(stage.discord.edits), time.monotonic()
    message = await stage.ask("천천히 말해 줘")
    await until(lambda: bool(stage.discord.answers_to(message)))
    first = stage.discord.answers_to(message)[0]["content"]
    assert "5번째" not in first
    SHOWN.set()
    final = await stage.answered(message)
    assert "5번째 조각." in final
    # The first piece is sent; the rest is written with pauses between the changes, except the last.
    most = (time.monotonic() - began) / EDIT_SECONDS + 2
    assert 1 <= len(stage.discord.edits) - before <= most


async def test_an_edited_question_gets_its_answer_written_anew_in_place(stage: Stage) -> None:
    message = await stage.ask("사과는 몇 개?")
    await stage.answered(message)
    [answer] = stage.discord.answers_to(message)
    await stage.discord.edit(message, "<@900> 배는 몇 개?")
    await until(lambda: answer["content"] == "답: 배는 몇 개?")
    assert len(stage.discord.answers_to(message)) == 1


async def test_an_edit_that_asks_no_more_takes_the_answer_away(stage: Stage) -> None:
    message = await stage.ask("잘못 불렀나?")
    await stage.answered(message)
    await stage.discord.edit(message, "아니야 됐어")
    await until(lambda: not stage.discord.answers_to(message))


async def test_an_edit_that_now_asks_is_answered_and_a_preview_is_no_edit(stage: Stage) -> None:
    message = await stage.discord.say(SEOUL, GENERAL, MINJI, "그냥 하는 말")
    await stage.discord.edit(message, "<@900> 이제 물어보는 말")
    await until(lambda: bool(stage.discord.answers_to(message)))
    await until(lambda: stage.over(message))
    asked = len(stage.models.requests) if stage.models else 0
    preview = {**stage.discord.messages[message], "embeds": [{"type": "link"}]}
    await stage.discord.dispatch("MESSAGE_UPDATE", preview, SEOUL)
    await stage.answered(await stage.ask("다음 말"))
    assert stage.models is not None
    assert len(stage.models.requests) == asked + 1


async def test_a_deleted_question_takes_its_answer_and_memory_along(databases: Databases) -> None:
    async with on_stage(databases, fakes=Fakes(embedder=BundledEmbedder())) as stage:
        message = await stage.ask("나는 땅콩 알레르기가 있어")
        await stage.answered(message)
        speaker = await stage.remember(message)
        await stage.discord.delete(message)
        await until(lambda: not stage.discord.answers_to(message))
        async with asyncio.timeout(180):
            while [m async for m in speaker.memories.browse("땅콩")]:
                await asyncio.sleep(0.05)


async def test_a_question_deleted_while_it_is_answered_stops_its_turn(stage: Stage) -> None:
    message = await stage.ask("오래 걸리는 이야기")
    await until(lambda: bool(stage.discord.answers_to(message)))
    speaker, running = stage.turn(message)
    await stage.discord.delete(message)
    await until(lambda: not stage.discord.answers_to(message))
    turn = await speaker.turn(running)
    assert (turn.state, turn.error) == ("incomplete", "cancelled")


async def test_a_429_is_obeyed_and_nothing_is_said_twice(stage: Stage) -> None:
    stage.discord.limit("POST", f"/channels/{GENERAL}/messages", 1.2)
    message = await stage.ask("천천히 들어가는 말")
    await stage.answered(message)
    posted = [
        each
        for each in stage.discord.requests
        if each.method == "POST" and each.path == f"/channels/{GENERAL}/messages"
    ][-2:]
    assert [each.status for each in posted] == [429, 200]
    assert posted[1].at - posted[0].at >= 1.19
    assert len(stage.discord.answers_to(message)) == 1


@pytest.mark.sized
async def test_many_mentions_at_once_get_one_answer_each(stage: Stage) -> None:
    count = sized(30, 100)
    people = [DiscordUser(10_000 + number, f"사람{number}") for number in range(count)]
    asked = await asyncio.gather(
        *(stage.ask(f"{number}번 질문", who) for number, who in enumerate(people))
    )
    answers = await asyncio.gather(*(stage.answered(each) for each in asked))
    assert answers == [f"답: {number}번 질문" for number in range(count)]
    assert [len(stage.discord.answers_to(each)) for each in asked] == [1] * count


async def test_what_documents_say_is_cited_below_the_answer(databases: Databases) -> None:
    def cite(shown: RecordedRequest) -> Reply:
        return "환불은 7일 안에 됩니다 [1]."

    async with on_stage(databases, cite) as stage:
        await stage.stack.services.warm_up()
        await bring_in(stage.stack, {"refund.md": REFUND})
        said = await stage.answered(await stage.ask("gcb-7 환불은 며칠 안에 돼?"))
        assert said.startswith("환불은 7일 안에 됩니다 [1].")
        assert "-# [1] 환불 안내" in said
