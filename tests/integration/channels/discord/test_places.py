"""Guild and channel decide the assistant, the documents and the memory."""

from collections.abc import AsyncIterator

import pytest

from benchmarks.doubles.discord import DiscordStandIn
from benchmarks.doubles.models import RecordedRequest, Reply
from saegim.app.infrastructure import Fakes
from saegim.auth.identities import channel_of
from saegim.channels.discord.guild_clients import user_name
from saegim.client import SaegimClient
from tests.integration.channels.discord.bot_fixture import (
    BUSAN,
    GENERAL,
    HARBOUR,
    JUNHO,
    MINJI,
    RANDOM,
    SEOUL,
    THREAD,
    Stage,
    bot_at,
    busan,
    on_stage,
    quick,
    remembering,
    seoul,
    talking,
)
from tests.integration.library.conftest import bring_in
from tests.stack import Databases, new_stack, served

pytestmark = pytest.mark.requirement("CH4")


WIFI = """---
id: gcb-123
type: gcb
title: 와이파이 안내
---
# 와이파이 안내

사무실 와이파이 비밀번호는 {} 입니다.
"""


def told(shown: RecordedRequest) -> Reply:
    """A model that repeats what it is shown of memories and documents."""
    asked = shown.messages[-1].text
    seen = f"{shown.system}\n{asked}"
    known = [line for line in seen.splitlines() if "땅콩" in line and "?" not in line]
    found = [line for line in asked.splitlines() if "비밀번호" in line and "?" not in line]
    return f"기억 {len(known)}, 문서 {' / '.join(found) or '없음'}"


@pytest.fixture(scope="module")
async def stage(databases: Databases) -> AsyncIterator[Stage]:
    async with on_stage(
        databases, remembering(told, "나는 땅콩"), places=[seoul(), busan()]
    ) as stage:
        own = stage.bot.lines.own(SEOUL)
        assert own is not None
        for guild in (SEOUL, BUSAN):
            await own.change_guild(str(guild), user_per_minute=1000, guild_per_minute=1000)
        yield stage


async def test_memory_is_by_guild_and_user(stage: Stage) -> None:
    message = await stage.ask("나는 땅콩 알레르기가 있어", place=(SEOUL, GENERAL))
    await stage.answered(message)
    await stage.remember(message)
    ask = "내가 못 먹는 게 뭐였지?"
    in_other_channel = await stage.answered(await stage.ask(ask, place=(SEOUL, RANDOM)))
    in_other_guild = await stage.answered(await stage.ask(ask, place=(BUSAN, HARBOUR)))
    of_another = await stage.answered(await stage.ask(ask, JUNHO, (SEOUL, RANDOM)))
    assert not in_other_channel.startswith("기억 0")
    assert in_other_guild.startswith("기억 0")
    assert of_another.startswith("기억 0")


async def test_a_session_is_a_channel_or_thread_and_a_user(stage: Stage) -> None:
    first = await stage.ask("채널에서", place=(SEOUL, GENERAL))
    second = await stage.ask("같은 채널에서", place=(SEOUL, GENERAL))
    thread = await stage.ask("스레드에서", place=(SEOUL, THREAD))
    other = await stage.ask("같은 채널의 다른 사람", JUNHO, (SEOUL, GENERAL))
    for each in (first, second, thread, other):
        await stage.answered(each)
    known = stage.bot.speaking._known
    sessions = [known[each].answer.session for each in (first, second, thread, other)]
    assert sessions[0] == sessions[1]
    assert len(set(sessions)) == 3


async def test_persona_and_rules_are_by_channel_and_a_thread_has_its_channels(
    stage: Stage,
) -> None:
    own = stage.bot.lines.own(SEOUL)
    assert own is not None
    assert stage.models is not None
    await own.change_guild(str(SEOUL), persona="친절한 안내원", rules="욕설 금지")
    await own.speak_in(str(SEOUL), str(GENERAL), "츤데레", "반말을 쓴다")
    seen: list[str] = []
    for place in ((SEOUL, GENERAL), (SEOUL, THREAD), (SEOUL, RANDOM)):
        await stage.answered(await stage.ask("안녕?", place=place))
        seen.append(stage.models.requests[-1].system)
    assert all("츤데레" in each and "반말을 쓴다" in each for each in seen[:2])
    assert "츤데레" not in seen[2]
    assert "친절한 안내원" in seen[2]
    assert all("욕설 금지" in each for each in seen)


async def test_two_guilds_of_two_tenants_share_neither_documents_nor_memory(
    databases: Databases,
) -> None:
    fakes = Fakes(models=talking(told))
    async with (
        new_stack(databases, fakes, "서울 상사") as one,
        new_stack(databases, fakes, "부산 상사") as two,
        served(one.services) as http,
        DiscordStandIn([seoul(), busan()]) as stand_in,
    ):
        await bring_in(one, {"wifi.md": WIFI.format("seoul-1234")})
        await bring_in(two, {"wifi.md": WIFI.format("busan-9876")})
        keys = {str(SEOUL): one.tenant.key, str(BUSAN): two.tenant.key}
        async with bot_at(stand_in, str(http.base_url), keys, quick()) as bot:
            stage = Stage(one, stand_in, bot, str(http.base_url))
            ask = "gcb-123 와이파이 비밀번호 알려줘"
            here = await stage.answered(await stage.ask(ask, place=(SEOUL, GENERAL)))
            there = await stage.answered(await stage.ask(ask, place=(BUSAN, HARBOUR)))
            assert "seoul-1234" in here
            assert "busan" not in here
            assert "busan-9876" in there
            assert "seoul" not in there


@pytest.mark.requirement("CH7")
async def test_a_linked_account_has_one_memory_on_the_web_and_in_discord(stage: Stage) -> None:
    async with SaegimClient(stage.url, stage.stack.tenant.key, user="minji@web") as web:
        await web.memories.add("땅콩 알레르기가 있다", "constraint")
        code = (await web.link_code()).code
        ask = "내가 못 먹는 게 뭐였지?"
        place = (BUSAN, HARBOUR)
        before = await stage.answered(await stage.ask(ask, place=place))
        assert "연결했습니다" in await stage.command(MINJI, "link", place, code=code)
        linked = await stage.answered(await stage.ask(ask, place=place))
        listed = await stage.command(MINJI, "memory", place)
        assert "끊었습니다" in await stage.command(MINJI, "unlink", place)
        after = await stage.answered(await stage.ask(ask, place=place))
    assert channel_of(user_name(MINJI.id)) == "discord"
    assert before.startswith("기억 0")
    assert not linked.startswith("기억 0")
    assert "땅콩 알레르기가 있다" in listed
    assert after.startswith("기억 0")
