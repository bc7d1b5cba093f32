"""The bot: Discord's events go to the parts that know what to do with them."""

import asyncio
import contextlib
import logging
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import discord
from discord import app_commands

from saegim.channels.discord import plugins
from saegim.channels.discord.activity_counts import ActivityCounts
from saegim.channels.discord.admin_commands import AdminCommands
from saegim.channels.discord.commands import PeopleCommands
from saegim.channels.discord.guild_clients import GuildClients
from saegim.channels.discord.korean_descriptions import Korean
from saegim.channels.discord.messages import MessageHandler
from saegim.channels.discord.reply_gate import Limiter, ReplyDecision
from saegim.client import ClientError
from saegim.locales import translate

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Shards:
    """Which shards this process runs; none named means all that Discord recommends."""

    ids: tuple[int, ...] = ()
    count: int = 0

    def named(self) -> dict[str, Any]:
        return {"shard_ids": list(self.ids), "shard_count": self.count} if self.ids else {}


@dataclass(frozen=True, slots=True)
class BotOptions:
    """What a bot is started with besides its lines. The times are in seconds."""

    shards: Shards = Shards()
    font: Path | None = None
    plugins: tuple[str, ...] = ()
    count_every: float = 30.0
    notices_every: float = 60.0
    ready_after: float = 2.0
    log_channels: dict[int, int | None] = field(default_factory=dict[int, int | None])


def wanted_intents() -> discord.Intents:
    """Guilds, and their messages with what they say: nearby ones are read when we are mentioned."""
    return discord.Intents(guilds=True, guild_messages=True, message_content=True)


class Bot(discord.AutoShardedClient):
    """`tree` takes commands, `lines` lead to the API; plug-ins use both."""

    def __init__(self, lines: GuildClients, options: BotOptions) -> None:
        super().__init__(
            intents=wanted_intents(),
            # Whatever an answer says, it pings nobody.
            allowed_mentions=discord.AllowedMentions.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            guild_ready_timeout=options.ready_after,
            **options.shards.named(),
        )
        self.lines = lines
        self.options = options
        self.tree = app_commands.CommandTree(self)
        self.speaking = MessageHandler(lines, Limiter(), self.tell_log)
        self.counts = ActivityCounts(lines)
        self._beside: list[asyncio.Task[None]] = []

    async def setup_hook(self) -> None:
        PeopleCommands(self.lines, self.speaking, self.options.font).install(self.tree)
        AdminCommands(self.lines, self.speaking, self.tell_log).install(self.tree)
        plugins.load(self.options.plugins, plugins.Host(self.tree, self.lines))
        await self.tree.set_translator(Korean())
        await self.tree.sync()
        self._beside = [
            asyncio.create_task(self._counting()),
            asyncio.create_task(self._noticing()),
        ]

    async def close(self) -> None:
        for task in self._beside:
            task.cancel()
        if self._beside:
            await asyncio.wait(self._beside)
            await self.counts.tell()
        await super().close()

    async def on_message(self, message: discord.Message) -> None:
        verdict = await self.speaking.heard(message, self._me)
        if verdict is not ReplyDecision.PASS_OVER and message.guild is not None:
            self.counts.add(message.guild.id, message.author.id)

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        await self.speaking.edited(event.message, self._me)

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        await self.speaking.deleted(event.message_id)

    async def on_raw_bulk_message_delete(self, event: discord.RawBulkMessageDeleteEvent) -> None:
        for message in event.message_ids:
            await self.speaking.deleted(message)

    async def tell_log(self, guild: discord.Guild, text: str, values: dict[str, object]) -> None:
        """Says something in the channel that the guild chose for it, if it chose one."""
        line, known = self.lines.own(guild.id), self.options.log_channels
        if line is not None:
            # While the API is away the channel that was chosen last holds.
            with contextlib.suppress(ClientError):
                settings = await line.guild(str(guild.id))
                known[guild.id] = int(settings.log_channel) if settings.log_channel else None
        where = known.get(guild.id)
        if where is not None:
            locale = "ko" if guild.preferred_locale is discord.Locale.korean else "en"
            with contextlib.suppress(discord.HTTPException):
                channel = self.get_partial_messageable(where, guild_id=guild.id)
                await channel.send(f"-# {translate(text, locale, **values)}")

    @property
    def _me(self) -> int:
        assert self.user is not None, "events come after the login"
        return self.user.id

    async def _counting(self) -> None:
        while True:
            await asyncio.sleep(self.options.count_every)
            await self.counts.tell()

    async def _noticing(self) -> None:
        await self.wait_until_ready()
        while True:
            for guild in self.guilds:
                with contextlib.suppress(ClientError, discord.HTTPException):
                    await self._notice(guild)
            await asyncio.sleep(self.options.notices_every)

    async def _notice(self, guild: discord.Guild) -> None:
        line = self.lines.own(guild.id)
        if line is None:
            return
        locale = "ko" if guild.preferred_locale is discord.Locale.korean else "en"
        for notice in await line.due_notices(str(guild.id)):
            channel = self.get_partial_messageable(int(notice.channel_id), guild_id=guild.id)
            if notice.text is None:
                await channel.send(
                    translate(
                        "The weather for {place} is not available right now.",
                        locale,
                        place=notice.place,
                    )
                )
            else:
                await channel.send(
                    translate("🌤 Today's weather — {text}", locale, text=notice.text)
                )
