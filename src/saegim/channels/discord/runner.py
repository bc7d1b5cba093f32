"""Runs the bot until a signal comes. discord.py reconnects and keeps the rate limits."""

import asyncio
import logging
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field

import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from saegim.channels.discord.bot import Bot, BotOptions, Shards
from saegim.channels.discord.guild_clients import GuildClients

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class WrongShards(Exception):
    """Shards must look like `0,1/4`."""


@dataclass(frozen=True, slots=True)
class DiscordAccount:
    """The token of the bot, and the URL and keys of the API. `api` and `gateway` replace the
    addresses of Discord, for a proxy or a fake."""

    token: str = field(repr=False)
    url: str
    keys: Mapping[str, str] = field(repr=False)
    api: str | None = None
    gateway: str | None = None


def parse_shards(text: str | None) -> Shards:
    """Parse `0,1/4`: shards 0 and 1 of 4. Raises WrongShards."""
    if not text:
        return Shards()
    ids, slash, count = text.partition("/")
    try:
        shards = Shards(tuple(int(each) for each in ids.split(",")), int(count))
    except ValueError:
        raise WrongShards(text) from None
    if not slash or not all(0 <= each < int(count) for each in shards.ids):
        raise WrongShards(text)
    return shards


def point_at(account: DiscordAccount) -> None:
    """Replace the addresses of Discord, if others are given."""
    if account.api:
        Route.BASE = account.api.rstrip("/")
    if account.gateway:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(account.gateway)


async def serve(account: DiscordAccount, options: BotOptions) -> None:
    """Run the bot until a signal comes."""
    # At level DEBUG, discord.py logs the messages of users.
    logging.getLogger("discord").setLevel(logging.INFO)
    point_at(account)
    async with GuildClients(account.url, account.keys) as clients, Bot(clients, options) as bot:
        running = asyncio.create_task(bot.start(account.token))
        loop = asyncio.get_running_loop()
        for number in STOP_SIGNALS:
            loop.add_signal_handler(number, running.cancel)
        try:
            await running
        except asyncio.CancelledError:
            if not running.cancelled():
                raise
