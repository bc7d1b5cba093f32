"""Guild → tenant and assistant: the key that a guild was given decides both."""

from collections.abc import Mapping
from types import TracebackType
from typing import Self

from saegim.client import Retry, SaegimClient

EVERY_OTHER = "*"
OURSELVES = "discord"

# Somebody waits in a channel: two more tries, then a polite word.
RETRY = Retry(retries=2)


class GuildClients:
    """One client for each key; use it as an async context manager."""

    def __init__(self, url: str, keys: Mapping[str, str]) -> None:
        self._keys = dict(keys)
        self._clients = {
            key: SaegimClient(url, key, timeout=120.0, retry=RETRY) for key in set(keys.values())
        }

    async def __aenter__(self) -> Self:
        for client in self._clients.values():
            await client.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for client in self._clients.values():
            await client.__aexit__(kind, error, trace)

    def of(self, guild: int) -> SaegimClient | None:
        """The line of a guild; None where it has no key."""
        key = self._keys.get(str(guild)) or self._keys.get(EVERY_OTHER)
        return None if key is None else self._clients[key]

    def own(self, guild: int) -> SaegimClient | None:
        """The same, for what the bot does for nobody in particular."""
        line = self.of(guild)
        return None if line is None else line.speaking_for(OURSELVES)


def user_name(user: int) -> str:
    """What a person is called behind this door; the channel of an identity is its first part."""
    return f"discord:{user}"


def user_id(name: str) -> int | None:
    """The person behind such a name."""
    kind, _, number = name.partition(":")
    return int(number) if kind == "discord" and number.isdigit() else None
