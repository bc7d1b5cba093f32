"""Providers of a tool, tried in order, each with a circuit breaker and a timeout."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from saegim.llm.metering import Breaker
from saegim.tools.types import Fact, Facts, ToolFailed

PROVIDER_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Provider:
    """A service; `ask` returns facts about a text, or none, and raises ToolFailed."""

    name: str
    ask: Callable[[str], Awaitable[list[Fact]]]


class Chain:
    def __init__(
        self,
        providers: Sequence[Provider],
        seconds: float = PROVIDER_SECONDS,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._providers = [(provider, Breaker(now)) for provider in providers]
        self._seconds = seconds

    def __bool__(self) -> bool:
        return bool(self._providers)

    async def ask(self, text: str) -> Facts:
        """Return the facts of the first provider that has some. Raises ToolFailed if none has."""
        reason = "no_provider"
        for provider, breaker in self._providers:
            if not breaker.admits():
                reason = "circuit_open"
                continue
            try:
                async with asyncio.timeout(self._seconds):
                    facts = await provider.ask(text)
            except (ToolFailed, TimeoutError) as error:
                breaker.failed()
                reason = "timeout" if isinstance(error, TimeoutError) else str(error)
                continue
            breaker.succeeded()
            if facts:
                return Facts(provider.name, tuple(facts))
            reason = "nothing_found"
        raise ToolFailed(reason)
