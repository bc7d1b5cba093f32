"""`saegim discord` between a local stand-in of Discord and the API."""

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import uvicorn

from benchmarks.doubles.discord import DiscordStandIn, until
from benchmarks.doubles.discord_objects import MANAGES, DiscordGuild, DiscordUser
from benchmarks.library.bench_stack import Stores
from saegim.api.app import create_app
from saegim.app.container import Services, build
from saegim.app.infrastructure import Fakes
from saegim.client import SaegimClient
from saegim.db.cells import HOME_CELL

GUILD, GENERAL, RANDOM = 100 << 22, 11, 12
MINJI, JUNHO = DiscordUser(501, "민지"), DiscordUser(502, "준호")
QUIET_SECONDS = 3.0
ADMIN = DiscordUser(503, "반장", permissions=MANAGES)


@dataclass(frozen=True)
class Community:
    """A guild with a bot, and the services behind it."""

    services: Services
    discord: DiscordStandIn
    url: str
    key: str

    async def asked(self, text: str, who: DiscordUser = MINJI, channel: int = GENERAL) -> int:
        """Mentions the bot; returns the message id."""
        return await self.discord.say(GUILD, channel, who, text, to_bot=True)

    async def answered(self, message: int, seconds: float = 60.0) -> str:
        """Waits for the complete first answer to a message."""
        await until(lambda: bool(self.discord.answers_to(message)), seconds)
        said, [answer] = "", self.discord.answers_to(message)
        while said != answer["content"]:
            said = answer["content"]
            await asyncio.sleep(QUIET_SECONDS)
        return said

    async def answers(self, message: int, text: str, seconds: float = 60.0) -> bool:
        """Whether a message is answered with this text exactly once."""

        def said() -> list[str]:
            return [each["content"] for each in self.discord.answers_to(message)]

        with contextlib.suppress(TimeoutError):
            await until(lambda: text in said(), seconds)
        return said() == [text]

    def client(self, user: str = "discord") -> SaegimClient:
        return SaegimClient(self.url, self.key, user=user)


@contextlib.asynccontextmanager
async def community(
    at: Stores, fakes: Fakes, heartbeat: float = 41.25, **settings: Any
) -> AsyncGenerator[Community]:
    """Starts everything until the bot is ready, and stops it at the end."""
    services = build(at.settings().model_copy(update=settings), fakes)
    await services.open()
    await services.warm_up()
    try:
        tenant = await services.auth.tenants.create("서울 모임", "ko", HOME_CELL)
        place = DiscordGuild(GUILD, "서울 모임", {GENERAL: "일반", RANDOM: "잡담"})
        async with (
            _served(services) as url,
            DiscordStandIn([place], heartbeat) as stand_in,
            _bot(stand_in, url, tenant.key),
        ):
            yield Community(services, stand_in, url, tenant.key)
    finally:
        await services.close()


@contextlib.asynccontextmanager
async def _served(services: Services) -> AsyncGenerator[str]:
    config = uvicorn.Config(create_app(services), port=0, log_config=None, lifespan="off")
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    await until(lambda: server.started)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        await task


@contextlib.asynccontextmanager
async def _bot(stand_in: DiscordStandIn, url: str, key: str) -> AsyncGenerator[None]:
    """Starts the command as an operator would."""
    environment = os.environ | {
        "SAEGIM_DISCORD_TOKEN": "stand-in",
        "SAEGIM_DISCORD_KEYS": json.dumps({str(GUILD): key}),
        "SAEGIM_DISCORD_API": stand_in.api,
    }
    command = ("-m", "saegim.cli.main", "discord", "--url", url)
    process = await asyncio.create_subprocess_exec(sys.executable, *command, env=environment)
    try:
        await until(lambda: stand_in.identified > 0, 60)
        await asyncio.sleep(3)  # how long it waits for guilds
        yield
    finally:
        process.terminate()
        await process.wait()
