"""How much people write, for the ranking: counted here, told to the API now and then."""

import logging
from collections import Counter

from saegim.channels.discord.guild_clients import GuildClients, user_name
from saegim.client import ClientError

log = logging.getLogger(__name__)

# Names that wait while the API is away; beyond them nothing new is counted.
MOST_WAITING = 10_000
AT_ONCE = 1_000


class ActivityCounts:
    """Messages by guild and person since they were last told."""

    def __init__(self, lines: GuildClients) -> None:
        self._lines = lines
        self._waiting: Counter[tuple[int, str]] = Counter()

    def add(self, guild: int, user: int) -> None:
        """One more message; what it says is not looked at."""
        key = (guild, user_name(user))
        if key in self._waiting or len(self._waiting) < MOST_WAITING:
            self._waiting[key] += 1

    async def tell(self) -> None:
        """Hands over what was counted; what the API does not take waits for the next time."""
        waiting, self._waiting = self._waiting, Counter()
        guilds: dict[int, dict[str, int]] = {}
        for (guild, name), messages in waiting.items():
            guilds.setdefault(guild, {})[name] = messages
        for guild, counted in guilds.items():
            line = self._lines.own(guild)
            if line is None:
                continue
            names = list(counted)
            for first in range(0, len(names), AT_ONCE):
                some = {name: counted[name] for name in names[first : first + AT_ONCE]}
                try:
                    await line.count_activity(str(guild), some)
                except ClientError as error:
                    log.warning("activity was not counted yet: %s", type(error).__name__)
                    self._waiting.update({(guild, name): count for name, count in some.items()})
