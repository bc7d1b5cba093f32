"""Ranking with a picture, weather on request and as notices, plug-ins."""

import asyncio
import importlib
import io
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from benchmarks.doubles.discord import until
from benchmarks.doubles.models import RecordedRequest, Reply, call
from benchmarks.doubles.services import CannedResponse, LocalService, ReceivedRequest
from saegim.app.infrastructure import Fakes
from saegim.channels.discord.plugins import NoSuchPlugin
from saegim.channels.discord.ranking_image import find_font
from saegim.community.service import WEATHER_TOOL
from saegim.tools.clients import ToolClients
from tests.integration.channels.discord.bot_fixture import (
    ADMIN,
    GENERAL,
    JUNHO,
    MINJI,
    RANDOM,
    SEOUL,
    Stage,
    on_stage,
    quick,
    talking,
)
from tests.stack import Databases

pytestmark = pytest.mark.requirement("CH4")


@dataclass
class Clock:
    """The time, which a test can move."""

    at: datetime = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at


@dataclass
class Sky:
    """Open-Meteo, as far as it is asked; `away` makes it fail."""

    away: bool = False

    def answer(self, asked: ReceivedRequest) -> CannedResponse:
        if self.away:
            return CannedResponse(status=500)
        if asked.path == "/v1/search":
            place = {"name": asked.parameters["name"], "country": "대한민국"}
            return CannedResponse({"results": [{**place, "latitude": 37.5, "longitude": 127.0}]})
        now = {"time": "2026-03-02T07:30", "weather_code": 61, "temperature_2m": 8.5}
        more = {"relative_humidity_2m": 81, "precipitation": 1.2, "wind_speed_10m": 9}
        return CannedResponse({"current": {**now, **more}})


@pytest.fixture(scope="module")
def sky() -> Sky:
    return Sky()


def weather(shown: RecordedRequest) -> Reply:
    """A model that calls the weather, and repeats the facts it gets."""
    last = shown.messages[-1]
    if last.role == "user" and ToolClients.get_weather.__name__ in shown.tools:
        return call(ToolClients.get_weather.__name__, place="서울")
    facts = [each for each in last.text.splitlines() if "°C" in each]
    return facts[0] if facts else "모르겠어요."


@pytest.fixture(scope="module")
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="module")
async def stage(databases: Databases, sky: Sky, clock: Clock) -> AsyncIterator[Stage]:
    fakes = Fakes(models=talking(weather), clock=clock)
    async with LocalService(sky.answer) as service:
        settings = {
            "tool_keys": {"open-meteo": SecretStr("on")},
            "tool_urls": {"open-meteo": service.url, "open-meteo-geocoding": service.url},
        }
        async with on_stage(databases, weather, fakes=fakes, settings=settings) as stage:
            yield stage


@pytest.mark.requirement("TL1")
async def test_the_weather_is_told_on_request_through_the_tool(stage: Stage) -> None:
    message = await stage.ask("서울 날씨 어때?")
    said = await stage.answered(message)
    assert "8.5°C" in said
    assert "비 (rain)" in said
    speaker, turn = stage.turn(message)
    trace = (await speaker.trace(turn)).trace
    assert [each["tool"] for each in trace["tools"]] == [ToolClients.get_weather.__name__]


@pytest.mark.requirement("TL1")
async def test_a_weather_notice_is_told_once_a_day_at_its_time(
    stage: Stage, sky: Sky, clock: Clock
) -> None:
    place = (SEOUL, RANDOM)
    assert ToolClients.get_weather.__name__ == WEATHER_TOOL
    added = await stage.command(ADMIN, "saegim notice", place, place="서울", at="10:30")
    assert "매일 10:30에 서울 날씨" in added
    assert f"1. 10:30 서울 <#{RANDOM}>" in await stage.command(ADMIN, "saegim notices", place)
    await asyncio.sleep(0.7)
    assert stage.discord.said(RANDOM) == []

    clock.at += timedelta(minutes=31)  # 10:31 in Seoul
    await until(lambda: bool(stage.discord.said(RANDOM)))
    await asyncio.sleep(0.8)
    [told] = stage.discord.said(RANDOM)
    assert told.startswith("🌤 오늘의 날씨 — 대한민국 서울")
    assert "8.5°C" in told

    sky.away = True
    clock.at += timedelta(days=1)
    await until(lambda: len(stage.discord.said(RANDOM)) == 2)
    sky.away = False
    assert stage.discord.said(RANDOM)[1] == "서울 날씨를 지금은 가져올 수 없습니다."

    assert "저장했습니다" in await stage.command(ADMIN, "saegim unnotice", place, number=1)
    clock.at += timedelta(days=1)
    await asyncio.sleep(0.8)
    assert len(stage.discord.said(RANDOM)) == 2


async def test_the_ranking_is_a_picture_with_everybody_in_order(stage: Stage) -> None:
    image = pytest.importorskip("PIL.Image")
    if find_font(None) is None:
        pytest.skip("no font with Korean letters (apt-get install fonts-noto-cjk)")
    for number in range(4):
        await stage.discord.say(SEOUL, GENERAL, JUNHO, f"말 {number}")
    await stage.discord.say(SEOUL, GENERAL, MINJI, "하나")
    headers = stage.stack.headers("discord", **{"Saegim-Guild": str(SEOUL)})
    counts: list[int] = []
    async with asyncio.timeout(180):
        while len(counts) < 2 or counts[0] < 4:
            ranked = await stage.stack.http.get("/v1/guild/ranking", headers=headers)
            counts = [each["messages"] for each in ranked.json()]
            await asyncio.sleep(0.05)
    said = await stage.command(MINJI, "ranking", days=7)
    assert said == "최근 7일 활동 순위"
    picture = image.open(io.BytesIO(stage.discord.files["ranking.png"]))
    assert picture.format == "PNG"
    assert picture.size[0] == 720
    colours = {colour for _, colour in picture.getcolors(maxcolors=100_000)}
    assert (0x58, 0x65, 0xF2) in colours


# Counts are handed over when the test says so.
NO_FONT = quick(font=Path("/nowhere.ttf"), count_every=1_000)


async def test_without_a_font_the_ranking_is_a_table(databases: Databases) -> None:
    async with on_stage(databases, options=NO_FONT) as stage:
        await stage.discord.say(SEOUL, GENERAL, JUNHO, "말")
        await stage.discord.say(SEOUL, GENERAL, JUNHO, "또 말")
        await stage.discord.say(SEOUL, GENERAL, MINJI, "하나")
        await until(lambda: sum(stage.bot.counts._waiting.values()) == 3)
        await stage.bot.counts.tell()
        said = await stage.command(MINJI, "ranking")
        assert said == "**최근 7일 활동 순위**\n1. 준호 — 2\n2. 민지 — 1"


PLUGIN = """
import discord

def install(bot):
    @bot.tree.command(description="Says hello")
    async def hello(interaction: discord.Interaction) -> None:
        line = bot.lines.own(interaction.guild_id)
        guild = await line.guild(str(interaction.guild_id))
        await interaction.response.send_message(f"hello {guild.guild_id}")
"""


@pytest.fixture
def installed(tmp_path: Path) -> Iterator[None]:
    """A package with a plug-in, as an installer would leave it."""
    (tmp_path / "greeting_plugin.py").write_text(PLUGIN, "utf-8")
    about = tmp_path / "greeting-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: greeting\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[saegim.discord]\nhello = greeting_plugin:install\n")
    sys.path.insert(0, str(tmp_path))
    importlib.invalidate_caches()
    yield
    sys.path.remove(str(tmp_path))
    sys.modules.pop("greeting_plugin", None)


async def test_a_plug_in_adds_its_command_where_it_is_configured(
    databases: Databases, installed: None
) -> None:
    async with on_stage(databases, options=quick(plugins=("hello",))) as stage:
        assert "hello" in {each["name"] for each in stage.discord.commands}
        assert await stage.command(MINJI, "hello") == f"hello {SEOUL}"
    async with on_stage(databases) as without:
        assert "hello" not in {each["name"] for each in without.discord.commands}


async def test_a_plug_in_that_no_package_has_stops_the_start(databases: Databases) -> None:
    with pytest.raises(NoSuchPlugin, match="nobody"):
        async with on_stage(databases, options=quick(plugins=("nobody",))):
            pass
