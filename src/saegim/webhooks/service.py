"""Manage webhooks and deliver events, with retries for about a day."""

import base64
import json
import secrets
from collections.abc import Mapping, Set
from typing import Any
from uuid import UUID

import standardwebhooks

from saegim.domain.errors import Invalid
from saegim.domain.ids import Clock
from saegim.webhooks.events import WebhookEvent
from saegim.webhooks.repository import PostgresWebhooks
from saegim.webhooks.sender import HttpSender
from saegim.webhooks.types import Delivery, DeliveryState, Parcel, Webhook

# Seconds between attempts; after the last one the delivery has failed.
WAITS = (10.0, 60.0, 300.0, 1_800.0, 7_200.0, 21_600.0, 43_200.0)

SUBJECTS: Mapping[WebhookEvent, str] = {
    WebhookEvent.TURN_DONE: "turn_id",
    WebhookEvent.TURN_UNANSWERED: "turn_id",
    WebhookEvent.HANDED_OFF: "turn_id",
    WebhookEvent.INGEST_DONE: "ingest_id",
    WebhookEvent.ERASURE_DONE: "erasure_id",
    WebhookEvent.PING: "webhook_id",
}


class Webhooks:
    def __init__(self, store: PostgresWebhooks, sender: HttpSender, clock: Clock) -> None:
        self._store = store
        self._sender = sender
        self._clock = clock

    async def add(self, tenant: UUID, url: str, events: Set[WebhookEvent]) -> tuple[Webhook, str]:
        """Add a webhook, and return it with its secret, which is shown only once."""
        self._sender.check(url)
        if not events or WebhookEvent.PING in events:
            raise Invalid("events must not be empty")
        secret = "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
        return await self._store.add(tenant, url, events, secret), secret

    async def all(self, tenant: UUID) -> list[Webhook]:
        return await self._store.all(tenant)

    async def remove(self, tenant: UUID, webhook: UUID) -> None:
        await self._store.remove(tenant, webhook)

    async def ping(self, tenant: UUID, webhook: UUID) -> Delivery:
        return await self._store.queue_test_delivery(tenant, webhook, WebhookEvent.PING)

    async def hand_off(self, tenant: UUID, turn: UUID) -> int:
        """Queue the event that a user asks for a person, and return the number of webhooks."""
        return await self._store.queue_event(tenant, WebhookEvent.HANDED_OFF, turn)

    async def deliveries(
        self, tenant: UUID, webhook: UUID, before: UUID | None, count: int
    ) -> list[Delivery]:
        """Return the deliveries of a webhook, newest first."""
        return await self._store.deliveries(tenant, webhook, before, count)

    async def deliver(self, tenant: UUID, delivery: UUID) -> None:
        """Run the job: send a delivery, and queue the next attempt if it failed."""
        parcel = await self._store.parcel(tenant, delivery)
        if parcel is None or parcel.delivery.state is not DeliveryState.WAITING:
            return
        body = body_of(parcel.delivery)
        response = await self._sender.send(parcel.url, body, self._headers(parcel, body))
        if response.taken:
            await self._store.settle(parcel.delivery, DeliveryState.DELIVERED, response, None)
            return
        attempts = parcel.delivery.attempts
        retry_in = WAITS[attempts] if attempts < len(WAITS) else None
        state = DeliveryState.FAILED if retry_in is None else DeliveryState.WAITING
        await self._store.settle(parcel.delivery, state, response, retry_in)

    def _headers(self, parcel: Parcel, body: bytes) -> dict[str, str]:
        now, identifier = self._clock.now(), str(parcel.delivery.id)
        signer = standardwebhooks.Webhook(parcel.secret)
        return {
            "Content-Type": "application/json",
            "webhook-id": identifier,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": signer.sign(identifier, now, body.decode()),
        }


def body_of(delivery: Delivery) -> bytes:
    """Return the JSON body: ids and a time; content is read through the API."""
    body: dict[str, Any] = {
        "id": str(delivery.id),
        "type": delivery.event.value,
        "created_at": delivery.created_at.isoformat(),
        "data": {SUBJECTS[delivery.event]: str(delivery.subject)},
    }
    return json.dumps(body, separators=(",", ":")).encode()
