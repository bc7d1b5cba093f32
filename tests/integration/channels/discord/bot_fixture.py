"""A bot between a local stand-in of Discord and the real API."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import discord
from discord.gateway import DiscordWebSocket
from discord.http import Route

from benchmarks.doubles.discord import DiscordStandIn, until
from benchmarks.doubles.discord_objects import MANAGES, DiscordGuild, DiscordUser
from benchmarks.doubles.models import RecordedRequest, Reply, ScriptedModels, call
from saegim.app.infrastructure import Fakes
from saegim.channels.discord.bot import Bot, BotOptions
from saegim.channels.discord.guild_clients import GuildClients
from saegim.channels.discord.runner import DiscordAccount, point_at
from saegim.client import SaegimClient
from saegim.llm.ports import ModelRole
from tests.stack import Databases, Stack, new_stack, served

SEOUL, BUSAN = 100 << 22, 201 << 22
GENERAL, RANDOM, LOG, THREAD, HARBOUR = 11, 12, 13, 14, 21
MINJI, JUNHO, ADMIN = (
    DiscordUser(501, "민지"),
    DiscordUser(502, "준호"),
    DiscordUser(503, "반장", permissions=MANAGES),
)
TOKEN = "stand-in-token"


def seoul() -> DiscordGuild:
    channels = {GENERAL: "일반", RANDOM: "잡담", LOG: "로그"}
    return DiscordGuild(SEOUL, "서울 모임", channels, threads={THREAD: GENERAL})


def busan() -> DiscordGuild:
    return DiscordGuild(BUSAN, "부산 모임", {HARBOUR: "항구"})


def spoken(shown: RecordedRequest) -> Reply:
    """A model that repeats the last message."""
    return f"답: {shown.messages[-1].text.splitlines()[-1]}"


def talking(script: Any = spoken) -> ScriptedModels:
    return ScriptedModels({ModelRole.LITE: script, ModelRole.STRONG: script}, timeout_seconds=90)


def remembering(script: Any, *told: str) -> Any:
    """A script that remembers what somebody tells, by its words, before it answers."""

    def play(shown: RecordedRequest) -> Reply:
        last = shown.messages[-1]
        said = last.text.splitlines()[-1]
        if last.role == "user" and "remember" in shown.tools and said.startswith(told):
            return call("remember", statement=said, quote=said)
        return script(shown)

    return play


@dataclass
class Stage:
    """A running bot with its Discord, API and services."""

    stack: Stack
    discord: DiscordStandIn
    bot: Bot
    url: str
    models: ScriptedModels | None = None
    tenants: dict[int, Stack] = field(default_factory=dict)

    async def ask(
        self, text: str, who: DiscordUser = MINJI, place: tuple[int, int] = (SEOUL, GENERAL)
    ) -> int:
        return await self.discord.say(*place, who, text, to_bot=True)

    async def answered(self, message: int) -> str:
        """The answer to a message, once its turn is over."""
        await until(lambda: self.over(message), 600)
        return "".join(each["content"] for each in self.discord.answers_to(message))

    def over(self, message: int) -> bool:
        known = self.bot.speaking._known.get(message)
        return known is not None and known.task is None

    def turn(self, message: int) -> tuple[SaegimClient, UUID]:
        """Returns the client that answered a message, and its turn."""
        known = self.bot.speaking._known[message]
        assert known.speaker is not None
        assert known.answer.turn is not None
        return known.speaker, known.answer.turn

    async def remember(self, message: int) -> SaegimClient:
        """Runs jobs until a message is in memory; returns the client of its author."""
        speaker, turn = self.turn(message)
        async with self.stack.working(), asyncio.timeout(180):
            while not (await speaker.remembered(turn)).remembered:
                await asyncio.sleep(0.05)
        return speaker

    async def command(
        self, who: DiscordUser, name: str, where: tuple[int, int] = (SEOUL, GENERAL), **options: Any
    ) -> str:
        """Returns the final text of a slash command."""
        token = await self.discord.command(where, who, name, **options)
        await until(lambda: bool(self.discord.replies[token]) and not commands_running())
        return "\n".join(each.get("content") or "" for each in self.discord.replies[token])


def commands_running() -> bool:
    """Whether discord.py runs a slash command."""
    return any(task.get_name() == "CommandTree-invoker" for task in asyncio.all_tasks())


@contextlib.asynccontextmanager
async def bot_at(
    stand_in: DiscordStandIn, url: str, keys: Mapping[str, str], options: BotOptions
) -> AsyncIterator[Bot]:
    """A bot that is connected and knows its guilds; what discord.py is pointed at is put back."""
    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    logging.getLogger("discord").setLevel(logging.INFO)
    account = DiscordAccount(TOKEN, url, keys, stand_in.api, stand_in.gateway)
    point_at(account)
    try:
        async with GuildClients(url, keys) as lines, Bot(lines, options) as bot:
            running = asyncio.create_task(bot.start(TOKEN))
            ready = asyncio.create_task(bot.wait_until_ready())
            await asyncio.wait({running, ready}, return_when=asyncio.FIRST_COMPLETED, timeout=120)
            if running.done():
                running.result()
            await asyncio.sleep(0.05)
            yield bot
            await bot.close()
            with contextlib.suppress(asyncio.CancelledError, discord.ConnectionClosed):
                await running
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = before


def quick(**more: Any) -> BotOptions:
    often = {"count_every": 0.2, "retry_every": 0.2, "notices_every": 0.3}
    return BotOptions(**{"ready_after": 0.1, **often, **more})


@contextlib.asynccontextmanager
async def on_stage(
    databases: Databases,
    script: Any = spoken,
    *,
    places: Sequence[DiscordGuild] | None = None,
    fakes: Fakes | None = None,
    options: BotOptions | None = None,
    heartbeat: float = 41.25,
    settings: Mapping[str, Any] | None = None,
) -> AsyncIterator[Stage]:
    models = talking(script)
    given = fakes or Fakes(models=models)
    async with (
        new_stack(databases, given, settings=settings) as stack,
        served(stack.services) as http,
        DiscordStandIn(places or [seoul()], heartbeat) as stand_in,
    ):
        url, keys = str(http.base_url), {"*": stack.tenant.key}
        async with bot_at(stand_in, url, keys, options or quick()) as bot:
            yield Stage(stack, stand_in, bot, url, models)
