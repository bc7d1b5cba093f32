"""Clients of the API by guild. The key of a guild selects its tenant and assistant."""

from collections.abc import Mapping
from typing import Any, Self

from saegim.client import Retry, SaegimClient

EVERY_OTHER = "*"
OURSELVES = "discord"

# Few retries, because a user is waiting.
RETRY = Retry(retries=2)


class GuildClients:
    """One client for each key. Use as an async context manager."""

    def __init__(self, url: str, keys: Mapping[str, str]) -> None:
        self._keys = dict(keys)
        self._clients = {
            key: SaegimClient(url, key, timeout=120.0, retry=RETRY) for key in set(keys.values())
        }

    async def __aenter__(self) -> Self:
        for client in self._clients.values():
            await client.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> None:
        for client in self._clients.values():
            await client.__aexit__(*error)

    def of(self, guild: int) -> SaegimClient | None:
        """Return the client of a guild, or None if it has no key."""
        key = self._keys.get(str(guild)) or self._keys.get(EVERY_OTHER)
        return None if key is None else self._clients[key]

    def own(self, guild: int) -> SaegimClient | None:
        """Return the client for requests of the bot itself."""
        client = self.of(guild)
        return None if client is None else client.speaking_for(OURSELVES)


def user_name(user: int) -> str:
    """Return the user name in Saegim of a Discord user."""
    return f"discord:{user}"


def user_id(name: str) -> int | None:
    """Return the Discord user with this name in Saegim."""
    kind, _, number = name.partition(":")
    return int(number) if kind == "discord" and number.isdigit() else None
