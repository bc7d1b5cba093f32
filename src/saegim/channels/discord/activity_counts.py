"""Counts messages for the ranking, and sends the counts to the API at intervals."""

import logging
from collections import Counter
from itertools import batched

from saegim.channels.discord.guild_clients import GuildClients, user_name
from saegim.client import ClientError

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
