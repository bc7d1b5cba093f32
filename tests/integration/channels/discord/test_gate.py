"""Only mentions are answered; other messages are only counted."""

from collections.abc import AsyncIterator

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from benchmarks.doubles.discord import until
from benchmarks.doubles.discord_objects import OURSELVES, DiscordUser
from tests.integration.channels.discord.bot_fixture import (
    GENERAL,
    JUNHO,
    MINJI,
    SEOUL,
    Stage,
    on_stage,
    quick,
)
from tests.integration.isolation.catalogue import tenant_tables
from tests.stack import Databases

pytestmark = pytest.mark.requirement("CH4")


@pytest.fixture(scope="module")
async def stage(databases: Databases) -> AsyncIterator[Stage]:
    # Counts are handed over when a test says so.
    async with on_stage(databases, options=quick(count_every=1_000)) as stage:
        yield stage


def rows(stage: Stage) -> dict[str, int]:
    """Returns the number of rows in each table of the tenant."""
    tenant = stage.stack.tenant.tenant.id
    with psycopg.connect(stage.stack.databases.admin_url) as connection:
        counted: dict[str, int] = {}
        for table in tenant_tables(connection):
            if not table.is_partition:
                query = SQL("select count(*) from {} where tenant_id = %s").format(
                    Identifier(table.name)
                )
                found = connection.execute(query, (tenant,)).fetchone()
                counted[table.name] = found[0] if found else 0
        return counted


async def test_who_is_not_mentioned_is_silent_and_stores_only_a_count(stage: Stage) -> None:
    await stage.bot.counts.tell()
    await stage.discord.say(SEOUL, GENERAL, MINJI, "오늘 점심 뭐 먹지")
    await until(lambda: bool(stage.bot.counts._waiting))
    await stage.bot.counts.tell()  # our own account is a member from here on
    before = rows(stage)
    for number in range(5):
        await stage.discord.say(SEOUL, GENERAL, JUNHO, f"그냥 하는 말 {number}")
    await stage.discord.say(SEOUL, GENERAL, MINJI, "@everyone 다들 모여요")
    await until(lambda: sum(stage.bot.counts._waiting.values()) == 6)
    await stage.bot.counts.tell()

    after = rows(stage)
    assert {name for name in after if after[name] != before[name]} == {"guild_activity"}
    assert stage.discord.said(GENERAL) == []
    assert stage.discord.typing == []
    assert stage.models is not None
    assert stage.models.requests == []
    ranked = await stage.bot.lines.own(SEOUL).activity_ranking(str(SEOUL))  # type: ignore[union-attr]
    assert [(each.name, each.messages) for each in ranked] == [
        (f"discord:{JUNHO.id}", 5),
        (f"discord:{MINJI.id}", 2),
    ]


async def test_a_mention_gets_one_answer_and_the_prompt_knows_the_gate(stage: Stage) -> None:
    message = await stage.ask("내일 회의 몇 시야?")
    assert await stage.answered(message) == "답: 내일 회의 몇 시야?"
    assert len(stage.discord.answers_to(message)) == 1
    assert GENERAL in stage.discord.typing
    assert stage.models is not None
    assert "You speak only because somebody mentioned you" in stage.models.requests[-1].system


async def test_the_same_event_twice_is_one_answer(stage: Stage) -> None:
    message = await stage.ask("한 번만 답해")
    await stage.answered(message)
    await stage.discord.dispatch("MESSAGE_CREATE", stage.discord.messages[message], SEOUL)
    follow_up = await stage.ask("다음")
    await stage.answered(follow_up)
    assert len(stage.discord.answers_to(message)) == 1


async def test_bots_are_never_answered(stage: Stage) -> None:
    other = DiscordUser(777, "다른 봇", bot=True)
    silent = await stage.discord.say(SEOUL, GENERAL, other, "대답해", to_bot=True)
    await stage.answered(await stage.ask("사람의 말"))
    assert stage.discord.answers_to(silent) == []
    assert OURSELVES.bot


async def test_nearby_messages_are_read_for_one_answer_and_stored_nowhere(stage: Stage) -> None:
    assert stage.models is not None
    await stage.discord.say(SEOUL, GENERAL, JUNHO, "비밀 파티는 금요일 일곱 시래")
    message = await stage.ask("방금 무슨 얘기야?")
    await stage.answered(message)
    [nearby] = stage.models.requests[-1].blocks("nearby")
    assert "준호: 비밀 파티는 금요일 일곱 시래" in nearby

    export = await stage.stack.http.get(
        "/v1/export", headers=stage.stack.headers(f"discord:{MINJI.id}")
    )
    assert "방금 무슨 얘기야?" in export.text
    assert "비밀 파티" not in export.text


async def test_a_guild_may_have_nearby_messages_kept(stage: Stage) -> None:
    own = stage.bot.lines.own(SEOUL)
    assert own is not None
    await own.change_guild(str(SEOUL), store_messages=True)
    await stage.discord.say(SEOUL, GENERAL, JUNHO, "이건 보관해도 되는 말")
    await stage.answered(await stage.ask("들었어?"))
    await own.change_guild(str(SEOUL), store_messages=False)
    export = await stage.stack.http.get(
        "/v1/export", headers=stage.stack.headers(f"discord:{MINJI.id}")
    )
    assert "이건 보관해도 되는 말" in export.text


async def test_limits_hold_for_a_person_and_for_the_guild(stage: Stage) -> None:
    own = stage.bot.lines.own(SEOUL)
    assert own is not None
    busy = DiscordUser(640, "바쁨")
    await own.change_guild(str(SEOUL), user_per_minute=2, guild_per_minute=1000)
    said = [await stage.answered(await stage.ask(f"질문 {n}", busy)) for n in range(3)]
    await own.change_guild(str(SEOUL), user_per_minute=1000, guild_per_minute=1000)
    assert said[:2] == ["답: 질문 0", "답: 질문 1"]
    assert "천천히" in said[2]
