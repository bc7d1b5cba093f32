"""Plug-ins: further commands, from the entry points of installed packages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, cast

from discord import app_commands

from saegim.channels.discord.guild_clients import GuildClients

GROUP = "saegim.discord"


@dataclass(frozen=True, slots=True)
class Host:
    """The interface for plug-ins: the command tree, and clients of the API by guild."""

    tree: app_commands.CommandTree[Any]
    lines: GuildClients


Plugin = Callable[[Host], None]
"""Adds its commands to a bot."""


class NoSuchPlugin(Exception):
    """No installed package has the plug-in."""


def load(names: Sequence[str], bot: Host) -> None:
    """Load the configured plug-ins. Raises NoSuchPlugin."""
    installed = {each.name: each for each in entry_points(group=GROUP)}
    for name in names:
        if name not in installed:
            raise NoSuchPlugin(name)
        cast("Plugin", installed[name].load())(bot)
