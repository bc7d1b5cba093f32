"""Repeats deletions that failed, so that an outage leaves nothing behind."""

import logging
from collections import deque
from collections.abc import Awaitable, Callable
from http import HTTPStatus

import aiohttp
import discord

from saegim.client import ClientError

log = logging.getLogger(__name__)

# discord.py passes on the errors of failed connections.
DISCORD_ERRORS = (discord.DiscordException, aiohttp.ClientError, OSError)

# Most calls to repeat; more drop the oldest.
MOST_WAITING = 1_000

Call = Callable[[], Awaitable[object]]


class RetryQueue:
    """Calls that failed and are repeated later. Each must be safe to repeat."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, Call]] = deque()

    async def run(self, name: str, call: Call) -> None:
        """Run a call; if the API or Discord is unavailable, it is repeated by `run_again`."""
        try:
            await call()
        except (ClientError, *DISCORD_ERRORS) as error:
            status = getattr(error, "status", None)
            if status == HTTPStatus.NOT_FOUND:
                return  # Already deleted.
            cause = status or type(error).__name__
            if _is_final(status):
                log.error("%s was refused: %s", name, cause)
                return
            log.warning("%s failed and is repeated later: %s", name, cause)
            self._add(name, call)

    async def run_again(self) -> None:
        """Run the calls that failed, each once."""
        for _ in range(len(self._waiting)):
            await self.run(*self._waiting.popleft())

    def _add(self, name: str, call: Call) -> None:
        self._waiting.append((name, call))
        if len(self._waiting) > MOST_WAITING:
            log.error("%s is given up: too many calls wait", self._waiting.popleft()[0])


def _is_final(status: int | None) -> bool:
    """Return whether a repeated call would be refused too."""
    if status is None or status == HTTPStatus.TOO_MANY_REQUESTS:
        return False
    return status < HTTPStatus.INTERNAL_SERVER_ERROR
