from collections.abc import Mapping, Set
from typing import Protocol
from uuid import UUID

from saegim.domain.happenings import Happening
from saegim.webhooks.types import Answer, Delivery, DeliveryState, Parcel, Webhook


class WebhookStore(Protocol):
    """Webhooks and what they were told. All methods raise StoreUnavailable."""

    async def add(self, tenant: UUID, url: str, events: Set[Happening], secret: str) -> Webhook:
        """Stores one, with its secret sealed. Raises Conflict where there are too many."""
        ...

    async def all(self, tenant: UUID) -> list[Webhook]:
        """All of a tenant, oldest first."""
        ...

    async def remove(self, tenant: UUID, webhook: UUID) -> None:
        """Takes one away with what it waits for. Raises NotFound."""
        ...

    async def tell(self, tenant: UUID, event: Happening, subject: UUID) -> int:
        """Queues a happening for everyone who wants it; how many."""
        ...

    async def tell_one(self, tenant: UUID, webhook: UUID, event: Happening) -> Delivery:
        """Queues a happening for one webhook, whatever it wants. Raises NotFound."""
        ...

    async def parcel(self, tenant: UUID, delivery: UUID) -> Parcel | None:
        """What is to be sent; None where its webhook is gone."""
        ...

    async def settle(
        self, delivery: Delivery, state: DeliveryState, answer: Answer, again_in: float | None
    ) -> None:
        """Notes an attempt; queues the next one in so many seconds where there is one."""
        ...

    async def deliveries(
        self, tenant: UUID, webhook: UUID, before: UUID | None, count: int
    ) -> list[Delivery]:
        """What one was told, newest first. Raises NotFound."""
        ...


class Sender(Protocol):
    """Sends to addresses that a tenant names, and to no private ones."""

    def check(self, url: str) -> None:
        """Raises Invalid where an address can be none of a receiver's."""
        ...

    async def send(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """What came back, or why nothing did; raises nothing of the network's."""
        ...
