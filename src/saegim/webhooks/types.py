from collections.abc import Set
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from saegim.webhooks.events import WebhookEvent


class DeliveryState(StrEnum):
    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Webhook:
    """Where a tenant is told, and of what."""

    id: UUID
    tenant: UUID
    url: str
    events: Set[WebhookEvent]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Delivery:
    """One happening as it is told to one webhook; ids only."""

    id: UUID
    tenant: UUID
    webhook: UUID
    event: WebhookEvent
    subject: UUID
    state: DeliveryState
    attempts: int
    created_at: datetime
    status: int | None = None
    error: str | None = None
    settled_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Parcel:
    """A delivery that is to be sent, with its address and the secret that signs it."""

    delivery: Delivery
    url: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class DeliveryResponse:
    """What a receiver said: its status, or why there was none."""

    status: int | None = None
    error: str | None = None

    @property
    def taken(self) -> bool:
        return self.status is not None and 200 <= self.status < 300
