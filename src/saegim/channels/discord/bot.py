"""The bot: dispatches the events of Discord."""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import batched
from pathlib import Path
from typing import Any

import discord
from discord import app_commands

from saegim.channels.discord import plugins
from saegim.channels.discord.admin_commands import AdminCommands
from saegim.channels.discord.commands import PeopleCommands
from saegim.channels.discord.guild_clients import GuildClients, user_name
from saegim.channels.discord.messages import MessageHandler, guild_locale
from saegim.channels.discord.reply_gate import Limiter, ReplyDecision
from saegim.channels.discord.retry_queue import DISCORD_ERRORS, RetryQueue
from saegim.client import ClientError, DueNotice
from saegim.locales import catalogue, translate

log = logging.getLogger(__name__)

# Most users to count while the API is unavailable.
MOST_WAITING = 10_000
BATCH = 1_000


class ActivityCounts:
    """Messages by guild and user since the counts were last sent."""

    def __init__(self, clients: GuildClients) -> None:
        self._clients = clients
        self._waiting: Counter[tuple[int, str]] = Counter()

    def add(self, guild: int, user: int) -> None:
        """Count one message of a user."""
        key = (guild, user_name(user))
        if key in self._waiting or len(self._waiting) < MOST_WAITING:
            self._waiting[key] += 1

    async def tell(self) -> None:
        """Send the counts; those that the API does not take are sent again the next time."""
        waiting, self._waiting = self._waiting, Counter()
        guilds: dict[int, dict[str, int]] = {}
        for (guild, name), messages in waiting.items():
            guilds.setdefault(guild, {})[name] = messages
        for guild, counted in guilds.items():
            client = self._clients.own(guild)
            if client is None:
                continue
            for batch in batched(counted.items(), BATCH):
                try:
                    await client.count_activity(str(guild), dict(batch))
                except ClientError as error:
                    log.warning("activity was not counted yet: %s", type(error).__name__)
                    self._waiting.update({(guild, name): count for name, count in batch})


CLOSING_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards of this process; without IDs, all that Discord recommends."""

    ids: tuple[int, ...] = ()
    count: int = 0


@dataclass(frozen=True, slots=True)
class BotOptions:
    """Options of a bot. Times are in seconds."""

    shards: Shards = Shards()
    font: Path | None = None
    plugins: tuple[str, ...] = ()
    count_every: float = 30.0
    retry_every: float = 30.0
    notices_every: float = 60.0
    ready_after: float = 2.0
    log_channels: dict[int, int | None] = field(default_factory=dict[int, int | None])


def wanted_intents() -> discord.Intents:
    """Return the intents; nearby messages are read when the bot is mentioned."""
    return discord.Intents(guilds=True, guild_messages=True, message_content=True)


class KoreanDescriptions(app_commands.Translator):
    """Translates the descriptions of the bot's commands; plug-ins keep their own texts."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,  # noqa: ARG002 - discord.py's signature
    ) -> str | None:
        korean = locale is discord.Locale.korean
        return catalogue("ko").get(string.message) if korean else None


class Bot(discord.AutoShardedClient):
    """Plug-ins use `tree`, for commands, and `lines`, the clients of the API."""

    def __init__(self, lines: GuildClients, options: BotOptions) -> None:
        shards = options.shards
        sharding: dict[str, Any] = {}
        if shards.ids:
            sharding = {"shard_ids": list(shards.ids), "shard_count": shards.count}
        super().__init__(
            intents=wanted_intents(),
            # Answers never notify users.
            allowed_mentions=discord.AllowedMentions.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            guild_ready_timeout=options.ready_after,
            **sharding,
        )
        self.lines = lines
        self.options = options
        self.tree = app_commands.CommandTree(self)
        self.retries = RetryQueue()
        self.speaking = MessageHandler(lines, Limiter(), self.tell_log, self.retries)
        self.counts = ActivityCounts(lines)
        self._tasks: list[asyncio.Task[None]] = []

    async def setup_hook(self) -> None:
        PeopleCommands(self.lines, self.speaking, self.options.font).install(self.tree)
        AdminCommands(self.lines, self.speaking, self.tell_log).install(self.tree)
        plugins.load(self.options.plugins, plugins.Host(self.tree, self.lines))
        await self.tree.set_translator(KoreanDescriptions())
        await self.tree.sync()
        intervals = (
            (self.counts.tell, self.options.count_every),
            (self.retries.run_again, self.options.retry_every),
            (self._send_notices, self.options.notices_every),
        )
        self._tasks = [asyncio.create_task(self._repeat(*each)) for each in intervals]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
            await self.counts.tell()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CLOSING_SECONDS):
                    await self.retries.run_again()
        await super().close()

    async def on_message(self, message: discord.Message) -> None:
        decision = await self.speaking.heard(message, self._me)
        if decision is not ReplyDecision.PASS_OVER and message.guild is not None:
            self.counts.add(message.guild.id, message.author.id)

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        await self.speaking.edited(event.message, self._me)

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        await self.speaking.deleted(event.message_id)

    async def on_raw_bulk_message_delete(self, event: discord.RawBulkMessageDeleteEvent) -> None:
        await asyncio.gather(*(self.speaking.deleted(each) for each in event.message_ids))

    async def tell_log(self, guild: discord.Guild, text: str, values: dict[str, object]) -> None:
        """Post a text in the log channel of the guild, if it has one."""
        client, log_channels = self.lines.own(guild.id), self.options.log_channels
        if client is not None:
            # While the API is unavailable, the last known channel is used.
            with contextlib.suppress(ClientError):
                channel = (await client.guild(str(guild.id))).log_channel
                log_channels[guild.id] = int(channel) if channel else None
        log_channel = log_channels.get(guild.id)
        if log_channel is not None:
            with contextlib.suppress(*DISCORD_ERRORS):
                channel = self.get_partial_messageable(log_channel, guild_id=guild.id)
                await channel.send(f"-# {translate(text, guild_locale(guild), **values)}")

    @property
    def _me(self) -> int:
        assert self.user is not None, "events come after the login"
        return self.user.id

    async def _repeat(self, work: Callable[[], Awaitable[None]], seconds: float) -> None:
        """Do something at intervals, also after an error."""
        await self.wait_until_ready()
        while True:
            try:
                await work()
            except Exception:
                log.exception("%s failed", work.__qualname__)
            await asyncio.sleep(seconds)

    async def _send_notices(self) -> None:
        for guild in self.guilds:
            client = self.lines.own(guild.id)
            if client is None:
                continue
            try:
                notices = await client.due_notices(str(guild.id))
            except (ClientError, ValueError) as error:
                log.warning("notices of guild %s not read: %s", guild.id, type(error).__name__)
                continue
            for notice in notices:
                await self._post_notice(guild, notice)

    async def _post_notice(self, guild: discord.Guild, notice: DueNotice) -> None:
        locale = guild_locale(guild)
        text = (
            translate(
                "The weather for {place} is not available right now.", locale, place=notice.place
            )
            if notice.text is None
            else translate("🌤 Today's weather — {text}", locale, text=notice.text)
        )
        try:
            channel = self.get_partial_messageable(int(notice.channel_id), guild_id=guild.id)
            await channel.send(text)
        except (*DISCORD_ERRORS, ValueError) as error:
            cause = getattr(error, "status", type(error).__name__)
            log.warning("notice %s was not posted: %s", notice.notice_id, cause)
