from collections.abc import Mapping
from typing import Protocol

from saegim.webhooks.types import DeliveryResponse


class Sender(Protocol):
    """Sends to URLs of tenants, but not to private addresses."""

    def check(self, url: str) -> None:
        """Raise Invalid for a URL that cannot be a webhook."""
        ...

    async def send(self, url: str, body: bytes, headers: Mapping[str, str]) -> DeliveryResponse:
        """Send a request; network errors are part of the response."""
        ...
