from collections.abc import Mapping
from typing import Protocol

from saegim.webhooks.types import DeliveryResponse


class Sender(Protocol):
    """Sends to addresses that a tenant names, and to no private ones."""

    def check(self, url: str) -> None:
        """Raises Invalid where an address can be none of a receiver's."""
        ...

    async def send(self, url: str, body: bytes, headers: Mapping[str, str]) -> DeliveryResponse:
        """What came back, or why nothing did; raises nothing of the network's."""
        ...
