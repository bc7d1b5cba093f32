"""`saegim discord`: runs the Discord bot."""

import asyncio
from importlib.util import find_spec
from pathlib import Path

from saegim.app.settings import Settings
from saegim.cli import environment
from saegim.cli.client_target import KeyFile, Url, open_client
from saegim.cli.console import fail
from saegim.cli.environment import Data
from saegim.cli.server import listener
from saegim.telemetry import logs

EVERY_GUILD = "*"


def discord(data: Data = None, url: Url = None, key_file: KeyFile = None) -> None:
    if find_spec("discord") is None:
        fail("The Discord bot requires saegim[discord].")
    settings = environment.load()
    if settings.discord_token is None:
        fail("SAEGIM_DISCORD_TOKEN is not set.")
    from discord import LoginFailure  # noqa: PLC0415 - an extra, and slow to import

    from saegim.channels.discord.bot import BotOptions  # noqa: PLC0415 - the same
    from saegim.channels.discord.plugins import NoSuchPlugin  # noqa: PLC0415 - the same
    from saegim.channels.discord.runner import (  # noqa: PLC0415 - the same
        DiscordAccount,
        WrongShards,
        parse_shards,
        serve,
    )

    address, keys = api_and_keys(settings, data, url, key_file)
    logs.configure(settings.log_level)
    account = DiscordAccount(
        token=settings.discord_token.get_secret_value(),
        url=address,
        keys=keys,
        api=settings.discord_api,
        gateway=settings.discord_gateway,
    )
    try:
        options = BotOptions(
            shards=parse_shards(settings.discord_shards),
            font=settings.discord_font,
            plugins=tuple(settings.discord_plugins),
        )
        asyncio.run(serve(account, options))
    except WrongShards as error:
        fail("SAEGIM_DISCORD_SHARDS must look like 0,1/4, not {value}", value=error)
    except NoSuchPlugin as error:
        fail("Plug-in not found in any installed package: {name}", name=error)
    except LoginFailure:
        fail("Discord rejected the token.")


def api_and_keys(
    settings: Settings, data: Path | None, url: str | None, key_file: Path | None
) -> tuple[str, dict[str, str]]:
    """Return the address of the API and the key of each guild. Without SAEGIM_DISCORD_KEYS, all
    guilds share one key."""
    keys = {guild: key.get_secret_value() for guild, key in settings.discord_keys.items()}
    if not keys:
        target = open_client(data, url, key_file)
        return target.url, {EVERY_GUILD: target.key}
    api = environment.load_for(data)
    return url or listener.address(api.host, api.port), keys
