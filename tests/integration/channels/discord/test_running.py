"""Running: heartbeats, restarts, shards, and an API that is away."""

import asyncio
from dataclasses import replace

import pytest

from benchmarks.doubles.discord import DiscordStandIn, until
from benchmarks.doubles.models import Pieces, RecordedRequest, Reply
from saegim.app.infrastructure import Fakes
from saegim.channels.discord.bot import Shards
from tests.integration.channels.discord.bot_fixture import (
    BUSAN,
    GENERAL,
    HARBOUR,
    JUNHO,
    LOG,
    MINJI,
    SEOUL,
    bot_at,
    busan,
    on_stage,
    quick,
    seoul,
    talking,
)
from tests.stack import Databases, new_stack, served

pytestmark = pytest.mark.requirement("CH4")

SLOW_SECONDS = 4.0


def slow(shown: RecordedRequest) -> Reply:
    if "천천히" in shown.messages[-1].text.splitlines()[-1]:
        return Pieces(("조금만 ", "기다려 ", "주세요."), pause_seconds=SLOW_SECONDS / 3)
    return f"답: {shown.messages[-1].text.splitlines()[-1]}"


async def test_a_slow_turn_keeps_the_heartbeat_and_lets_others_be_answered(
    databases: Databases,
) -> None:
    goes_on = asyncio.Event()

    def script(shown: RecordedRequest) -> Reply:
        if "천천히" in shown.messages[-1].text.splitlines()[-1]:
            return Pieces(("조금만 ",), then=Pieces(("기다려 주세요.",), begin=goes_on))
        return slow(shown)

    async with on_stage(databases, script, heartbeat=0.25) as stage:
        waiting = await stage.ask("천천히 답해 줘")
        quickly = await stage.ask("빨리", JUNHO)
        assert await stage.answered(quickly) == "답: 빨리"
        beats = len(stage.discord.heartbeats)
        await until(lambda: len(stage.discord.heartbeats) >= beats + 8)
        assert not stage.over(waiting)
        goes_on.set()
        assert await stage.answered(waiting) == "조금만 기다려 주세요."
        assert stage.discord.identified == 1
        assert stage.discord.resumed == 0


async def test_a_gateway_that_restarts_is_resumed_and_what_was_missed_is_answered(
    databases: Databases,
) -> None:
    async with on_stage(databases) as stage:
        await stage.answered(await stage.ask("먼저"))
        await stage.discord.hang_up()
        missed = await stage.ask("끊긴 사이의 질문")
        assert await stage.answered(missed) == "답: 끊긴 사이의 질문"
        assert (stage.discord.identified, stage.discord.resumed) == (1, 1)

        await stage.discord.ask_to_reconnect()
        await until(lambda: stage.discord.resumed == 2)
        again = await stage.ask("다시 이어진 뒤")
        assert await stage.answered(again) == "답: 다시 이어진 뒤"
        assert len(stage.discord.answers_to(missed)) == 1


async def test_an_answer_goes_on_while_the_gateway_is_away(databases: Databases) -> None:
    async with on_stage(databases, slow) as stage:
        message = await stage.ask("천천히 답해 줘")
        await until(lambda: bool(stage.discord.answers_to(message)))
        await stage.discord.hang_up()
        assert await stage.answered(message) == "조금만 기다려 주세요."
        assert len(stage.discord.answers_to(message)) == 1


async def test_an_api_that_is_away_is_a_polite_word_in_the_language_of_the_question() -> None:
    nowhere = "http://127.0.0.1:9"
    async with (
        DiscordStandIn([seoul()]) as stand_in,
        bot_at(stand_in, nowhere, {"*": "sgm_nothing"}, quick()) as bot,
    ):
        korean = await stand_in.say(SEOUL, GENERAL, MINJI, "날씨 어때?", to_bot=True)
        english = await stand_in.say(SEOUL, GENERAL, JUNHO, "how is the weather?", to_bot=True)
        for each in (korean, english):
            await until(lambda each=each: bool(stand_in.answers_to(each)))
        assert stand_in.answers_to(korean)[0]["content"] == (
            "지금은 답할 수 없습니다. 잠시 후에 다시 불러 주세요."
        )
        assert stand_in.answers_to(english)[0]["content"] == (
            "I can't answer right now. Please try again in a little while."
        )
        # What was counted meanwhile waits.
        await stand_in.say(SEOUL, GENERAL, MINJI, "그냥 말")
        await until(lambda: sum(bot.counts._waiting.values()) >= 3)


async def test_the_log_channel_hears_of_an_api_that_went_away(databases: Databases) -> None:
    stand_in = DiscordStandIn([seoul()])
    async with new_stack(databases, Fakes(models=talking())) as stack, stand_in:
        async with served(stack.services) as http:
            url = str(http.base_url)
            own = {"*": stack.tenant.key}
            context = bot_at(stand_in, url, own, quick())
            bot = await context.__aenter__()
            line = bot.lines.own(SEOUL)
            assert line is not None
            await line.change_guild(str(SEOUL), log_channel=str(LOG))
            guild = bot.get_guild(SEOUL)
            assert guild is not None
            await bot.tell_log(guild, "Not answered: {code}", {"code": "test"})
        message = await stand_in.say(SEOUL, GENERAL, MINJI, "아직 있어?", to_bot=True)
        await until(lambda: len(stand_in.said(LOG)) == 2)
        assert "답할 수 없습니다" in stand_in.answers_to(message)[0]["content"]
        assert stand_in.said(LOG) == [
            "-# 답하지 못함: test",
            "-# API에 연결할 수 없음: unreachable",
        ]
        await context.__aexit__(None, None, None)


async def test_a_guild_without_a_key_is_told_so() -> None:
    async with (
        DiscordStandIn([seoul()]) as stand_in,
        bot_at(stand_in, "http://127.0.0.1:9", {"1": "sgm_nothing"}, quick()),
    ):
        message = await stand_in.say(SEOUL, GENERAL, MINJI, "안녕", to_bot=True)
        await until(lambda: bool(stand_in.answers_to(message)))
        assert "아직 연결되지" in stand_in.answers_to(message)[0]["content"]


async def test_two_processes_share_guilds_by_shard(databases: Databases) -> None:
    places = [seoul(), busan()]
    assert [(each.id >> 22) % 2 for each in places] == [0, 1]
    async with (
        new_stack(databases, Fakes(models=talking())) as stack,
        served(stack.services) as http,
        DiscordStandIn(places) as stand_in,
    ):
        url, keys = str(http.base_url), {"*": stack.tenant.key}
        first = replace(quick(), shards=Shards((0,), 2))
        second = replace(quick(), shards=Shards((1,), 2))
        async with (
            bot_at(stand_in, url, keys, first) as one,
            bot_at(stand_in, url, keys, second) as two,
        ):
            assert [guild.id for guild in one.guilds] == [SEOUL]
            assert [guild.id for guild in two.guilds] == [BUSAN]
            here = await stand_in.say(SEOUL, GENERAL, MINJI, "서울", to_bot=True)
            there = await stand_in.say(BUSAN, HARBOUR, MINJI, "부산", to_bot=True)
            await until(
                lambda: bool(stand_in.answers_to(here)) and bool(stand_in.answers_to(there))
            )
            await asyncio.sleep(0.3)
            assert len(stand_in.answers_to(here)) == len(stand_in.answers_to(there)) == 1
