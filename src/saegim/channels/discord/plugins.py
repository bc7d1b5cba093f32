"""Further commands by configuration: packages that name themselves under an entry point."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, cast

from discord import app_commands

from saegim.channels.discord.guild_clients import GuildClients

GROUP = "saegim.discord"


@dataclass(frozen=True, slots=True)
class Host:
    """The bot as a plug-in sees it: `tree` takes commands, `lines` lead to the API."""

    tree: app_commands.CommandTree[Any]
    lines: GuildClients


Plugin = Callable[[Host], None]
"""Adds its commands to a bot."""


class NoSuchPlugin(Exception):
    """A plug-in is configured that no installed package has."""


def load(names: Sequence[str], bot: Host) -> None:
    """Adds the plug-ins that are configured, and no others. Raises NoSuchPlugin."""
    found = {each.name: each for each in entry_points(group=GROUP)}
    for name in names:
        if name not in found:
            raise NoSuchPlugin(name)
        plugin = cast("Plugin", found[name].load())
        plugin(bot)
