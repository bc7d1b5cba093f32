"""Webhooks and their deliveries."""

from collections.abc import Set
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from saegim.webhooks.outbox import WebhookEvent


class DeliveryState(StrEnum):
    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Webhook:
    id: UUID
    tenant: UUID
    url: str
    events: Set[WebhookEvent]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Delivery:
    """An event for one webhook; ids only."""

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
    """A delivery with its URL and signing secret."""

    delivery: Delivery
    url: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class DeliveryResponse:
    """The receiver's status, or why there is none."""

    status: int | None = None
    error: str | None = None

    @property
    def taken(self) -> bool:
        return self.status is not None and 200 <= self.status < 300
