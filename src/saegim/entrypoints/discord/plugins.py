"""Further commands by configuration: packages that name themselves under an entry point."""

from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from saegim.entrypoints.discord.bot import Bot

GROUP = "saegim.discord"


class Plugin(Protocol):
    """Adds to a bot what it brings: commands on `bot.tree`, with `bot.lines` to the API."""

    def __call__(self, bot: "Bot") -> None: ...


class NoSuchPlugin(Exception):
    """A plug-in is configured that no installed package has."""


def load(names: Sequence[str], bot: "Bot") -> None:
    """Adds the plug-ins that are configured, and no others. Raises NoSuchPlugin."""
    found = {each.name: each for each in entry_points(group=GROUP)}
    for name in names:
        if name not in found:
            raise NoSuchPlugin(name)
        plugin = cast("Plugin", found[name].load())
        plugin(bot)
