"""Hold a conversation in a Korean channel and draw it: `make discord-transcript`.

Discord and the weather service are local stand-ins; the bot, the API, memory, tools and the ranking
are the product's own. The scripted model answers only from its prompt: without the persona, the
memory or the fact it says something else.
"""

import asyncio
import base64
import re
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import SecretStr

from benchmarks.discord.bench_stack import ADMIN, GENERAL, GUILD, JUNHO, MINJI, Community, community
from benchmarks.discord.drawing import Line, draw
from benchmarks.doubles.discord import until
from benchmarks.doubles.discord_objects import DiscordUser
from benchmarks.doubles.models import RecordedRequest, Reply, ScriptedModels
from benchmarks.doubles.services import CannedResponse, LocalService, ReceivedRequest
from benchmarks.library.bench_stack import stores
from benchmarks.results import ROOT
from saegim.app.infrastructure import Fakes
from saegim.llm.ports import ModelRole

PICTURE = ROOT / "docs" / "images" / "discord.svg"
HARIN = DiscordUser(504, "하린")
PERSONA = "무뚝뚝하지만 챙겨 주는 동네 형"
RULES = "반말을 쓴다. 두 문장을 넘기지 않는다."


@dataclass
class Clock:
    """A clock that can be moved by days."""

    at: datetime = datetime(2026, 3, 2, 3, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at


def speak(shown: RecordedRequest) -> Reply:
    """Answers in this persona, from the prompt only."""
    if PERSONA not in shown.system:
        return "안녕하세요. 무엇을 도와드릴까요?"
    asked = shown.messages[-1].text
    fact = re.search(r"\[(F\d+)\].*?(\w+) \(rain\) ([\d.]+)°C", asked, re.DOTALL)
    if fact:
        return f"{fact[2]} 온다. {fact[3]}도니까 우산 챙겨라 [{fact[1]}]."
    memory = re.search(r"\[(M\d+)\][^\n]*\n[^\n]*땅콩", shown.system)
    if "간식" in asked:
        if memory is None:
            return "아무거나 먹어. 못 먹는 거 있으면 먼저 말하고."
        return f"너 땅콩 못 먹잖아 [{memory[1]}]. 그거 빼고 귤이나 사 와."
    if "알레르기" in asked:
        return "알았다, 적어 둘게. 과자 고를 때 조심해라."
    return "뭐, 별일 없지?"


def weather(asked: ReceivedRequest) -> CannedResponse:
    """A stand-in of Open-Meteo."""
    if asked.path == "/v1/search":
        place = {"name": asked.parameters["name"], "country": "대한민국"}
        return CannedResponse({"results": [{**place, "latitude": 37.5, "longitude": 127.0}]})
    now = {"time": "2026-03-10T12:00", "weather_code": 61, "temperature_2m": 8.5}
    more = {"relative_humidity_2m": 81, "precipitation": 1.2, "wind_speed_10m": 9}
    return CannedResponse({"current": {**now, **more}})


@dataclass
class Scene:
    """Plays and records what happens in the channel."""

    guild: Community
    lines: list[Line] = field(default_factory=list[Line])

    async def chat(self, who: DiscordUser, text: str) -> None:
        """A user talks to the others."""
        await self.guild.discord.say(GUILD, GENERAL, who, text)
        self.lines.append(Line(who.name, text))

    async def ask(self, who: DiscordUser, text: str) -> int:
        """A user mentions the bot and is answered."""
        message = await self.guild.asked(text, who)
        self.lines.append(Line(who.name, f"@새김 {text}"))
        self.lines.append(Line("새김", await self.guild.answered(message), bot=True))
        return message

    async def command(self, who: DiscordUser, name: str, **options: Any) -> list[dict[str, Any]]:
        """A user runs a slash command."""
        discord = self.guild.discord
        token = await discord.command((GUILD, GENERAL), who, name, **options)
        await until(lambda: bool(discord.replies[token]))
        given = " ".join(f"{key}:{value}" for key, value in options.items())
        self.lines.append(Line(who.name, f"/{name} {given}".strip(), command=True))
        return discord.replies[token]


async def main() -> int:
    clock = Clock()
    models = ScriptedModels({ModelRole.LITE: speak, ModelRole.STRONG: speak}, timeout_seconds=30)
    fakes = Fakes(models=models, clock=clock)
    async with LocalService(weather) as sky, stores() as at:
        settings: dict[str, Any] = {
            "tool_keys": {"open-meteo": SecretStr("on")},
            "tool_urls": {"open-meteo": sky.url, "open-meteo-geocoding": sky.url},
        }
        async with community(at, fakes, **settings) as guild:
            scene = Scene(guild)
            await first_day(scene)
            await remembered(guild)
            clock.at += timedelta(days=8)
            await later(scene)
    PICTURE.write_text(draw(scene.lines, "# 일반"), "utf-8")
    print(PICTURE.relative_to(ROOT))
    return 0 if as_told(scene) else 1


async def first_day(scene: Scene) -> None:
    scene.lines.append(Line("", "3월 2일", day=True))
    replies = await scene.command(ADMIN, "saegim channel", persona=PERSONA, rules=RULES)
    scene.lines.append(Line("새김", replies[-1]["content"], bot=True))
    await scene.chat(JUNHO, "다들 점심 먹었어?")
    await scene.chat(HARIN, "난 김밥!")
    await scene.ask(MINJI, "나 땅콩 알레르기가 있어. 기억해 줘")


async def later(scene: Scene) -> None:
    scene.lines.append(Line("", "3월 10일", day=True))
    await scene.chat(JUNHO, "오늘 모임 몇 시지")
    await scene.chat(JUNHO, "아 일곱 시구나")
    await scene.ask(MINJI, "모임에 간식으로 뭐 사 갈까?")
    await scene.ask(JUNHO, "서울 날씨 어때?")
    await asyncio.sleep(35)  # the bot sends counts twice a minute
    replies = await scene.command(HARIN, "ranking", days=30)
    drawn = base64.b64encode(scene.guild.discord.files["ranking.png"]).decode()
    scene.lines.append(Line("새김", replies[-1]["content"], bot=True, image=drawn))


async def remembered(guild: Community) -> None:
    """Waits until the worker has extracted memories."""
    worker = guild.services.worker()
    task = asyncio.create_task(worker.run())
    async with asyncio.timeout(60), guild.client(f"discord:{MINJI.id}") as client:
        own = client.speaking_for(f"discord:{MINJI.id}", f"guild:{GUILD}")
        while not [each async for each in own.memories.browse("땅콩")]:  # noqa: ASYNC110 - a worker's
            await asyncio.sleep(0.2)
    worker.stop()
    await task


def as_told(scene: Scene) -> bool:
    """Whether persona, memory, weather and ranking all worked."""
    said = "\n".join(line.text for line in scene.lines if line.bot)
    return all(word in said for word in ("땅콩 못 먹잖아 [M1]", "우산", "활동 순위", "적어 둘게"))


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
