"""Slash commands: what people see of themselves, and what admins set."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from benchmarks.doubles.discord_objects import ChannelOption
from tests.integration.channels.discord.bot_fixture import (
    ADMIN,
    GENERAL,
    LOG,
    MINJI,
    SEOUL,
    Stage,
    on_stage,
    remembering,
    spoken,
)
from tests.stack import Databases

pytestmark = pytest.mark.requirement("CH4")


@pytest.fixture(scope="module")
async def stage(databases: Databases) -> AsyncIterator[Stage]:
    async with on_stage(databases, remembering(spoken, "나는 고양이")) as stage:
        yield stage


async def test_commands_are_offered_in_english_and_korean(stage: Stage) -> None:
    names = {each["name"]: each for each in stage.discord.commands}
    assert set(names) == {
        *("memory", "forget", "why", "link", "unlink", "ranking", "saegim", "eval"),
    }
    assert names["ranking"]["description_localizations"]["ko"] == "최근 활동 순위 보기"
    assert {each["name"] for each in names["saegim"]["options"]} == {
        *("show", "language", "persona", "channel", "log", "nearby", "limits"),
        *("notice", "notices", "unnotice"),
    }


async def test_people_see_and_forget_what_is_remembered_of_them(stage: Stage) -> None:
    assert "기억하는 내용이 없습니다" in await stage.command(MINJI, "memory")
    message = await stage.ask("나는 고양이 나비를 키워. 그리고 나는 매운 음식을 싫어해.")
    await stage.answered(message)
    await stage.remember(message)
    listed = await stage.command(MINJI, "memory")
    assert "1. " in listed
    assert "나비" in listed or "매운" in listed
    count = listed.count("-# ")
    assert "일치하는 기억이 없습니다" in await stage.command(MINJI, "forget", what="우주선")
    assert "잊었습니다" in await stage.command(MINJI, "forget", what="1")
    left = await stage.command(MINJI, "memory")
    assert left.count("-# ") == count - 1


async def test_why_tells_how_the_last_answer_came_about(stage: Stage) -> None:
    assert "최근에 답변한 적이 없습니다" in await stage.command(ADMIN, "why")
    await stage.answered(await stage.ask("왜 그런지 물어볼 질문"))
    said = await stage.command(MINJI, "why")
    assert "경로 `" in said
    assert "scripted-" in said


async def test_what_a_command_tells_of_a_person_only_they_see(stage: Stage) -> None:
    await stage.command(MINJI, "memory")
    deferred = [each for each in stage.discord.requests if each.path.endswith("/callback")][-1]
    assert deferred.body["data"]["flags"] == 64


async def test_admins_set_the_guild_and_it_is_logged(stage: Stage) -> None:
    assert "설정을 저장했습니다" in await stage.command(
        ADMIN, "saegim log", channel=ChannelOption(LOG)
    )
    assert "설정을 저장했습니다" in await stage.command(
        ADMIN, "saegim channel", persona="츤데레", rules="반말을 쓴다"
    )
    assert "설정을 저장했습니다" in await stage.command(
        ADMIN, "saegim limits", person=9, everybody=90
    )
    assert "설정을 저장했습니다" in await stage.command(ADMIN, "saegim nearby", keep=True)
    assert "설정을 저장했습니다" in await stage.command(ADMIN, "saegim language", locale="ko")
    shown = await stage.command(ADMIN, "saegim show")
    assert f"<#{GENERAL}>: 츤데레 / 반말을 쓴다" in shown
    assert "9/90" in shown
    assert f"<#{LOG}>" in shown
    assert stage.discord.said(LOG)[0] == "-# 설정 변경: 반장 — log"
    own = stage.bot.lines.own(SEOUL)
    assert own is not None
    assert (await own.guild(str(SEOUL))).store_messages


async def test_others_may_not_whatever_discord_lets_through(stage: Stage) -> None:
    own = stage.bot.lines.own(SEOUL)
    assert own is not None
    before = await own.guild(str(SEOUL))
    tried: list[tuple[str, dict[str, Any]]] = [
        ("saegim persona", {"persona": "해적"}),
        ("saegim limits", {"person": 1, "everybody": 1}),
        ("eval", {"query": "무엇"}),
    ]
    for command, options in tried:
        assert "관리 권한" in await stage.command(MINJI, command, **options)
    assert await own.guild(str(SEOUL)) == before


async def test_admins_judge_whether_memory_helps(stage: Stage) -> None:
    assert "최근에 답변한 적이 없습니다" in await stage.command(ADMIN, "eval")
    await stage.answered(await stage.ask("우리 예산은 1.5억이야", ADMIN))
    said = await stage.command(ADMIN, "eval", query="예산이 얼마야?")
    assert "기억 평가" in said
    assert "relevance" in said


async def test_english_speakers_are_answered_in_english(stage: Stage) -> None:
    token = await stage.discord.command((SEOUL, GENERAL), MINJI, "unlink", speaks="en-US")
    async with asyncio.timeout(180):
        while not stage.discord.replies[token]:
            await asyncio.sleep(0.02)
    assert stage.discord.replies[token][-1]["content"] == "This account is not linked."
