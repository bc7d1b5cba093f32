"""Manage webhooks and deliver events, with retries for about a day."""

import asyncio
import base64
import json
import secrets
from collections.abc import Mapping, Sequence, Set
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import httpx2
import standardwebhooks

from saegim.domain.errors import Invalid
from saegim.domain.ids import Clock
from saegim.net.errors import FetchFailed
from saegim.net.guard import GuardedTransport, Network
from saegim.webhooks.outbox import WebhookEvent
from saegim.webhooks.repository import PostgresWebhooks
from saegim.webhooks.types import Delivery, DeliveryResponse, DeliveryState, Parcel, Webhook

SECONDS = 10.0
LONGEST_URL = 2_000


class HttpSender:
    """`allowed` are private networks from the operator's settings; they also allow plain HTTP."""

    def __init__(self, allowed: Sequence[Network] = ()) -> None:
        self._plain = bool(allowed)
        self._http = httpx2.AsyncClient(
            transport=GuardedTransport(allowed),
            follow_redirects=False,
            timeout=SECONDS,
            trust_env=False,
            headers={"User-Agent": "saegim-webhooks"},
        )

    def check(self, url: str) -> None:
        """Raise Invalid for a URL that cannot be a webhook."""
        try:
            parts = urlsplit(url)
            has_host = bool(parts.hostname) and (parts.port is None or parts.port > 0)
            httpx2.URL(url)
        except (ValueError, httpx2.InvalidURL) as error:
            raise Invalid("invalid URL") from error
        schemes = ("https", "http") if self._plain else ("https",)
        if parts.scheme not in schemes or not has_host or len(url) > LONGEST_URL:
            raise Invalid("the webhook URL must use https")
        if parts.username is not None or parts.password is not None:
            raise Invalid("the webhook URL must not contain a user name or password")

    async def send(self, url: str, body: bytes, headers: Mapping[str, str]) -> DeliveryResponse:
        """Send a request; network errors are part of the response."""
        try:
            async with (
                asyncio.timeout(SECONDS),
                self._http.stream("POST", url, content=body, headers=dict(headers)) as response,
            ):
                # The response body is ignored.
                return DeliveryResponse(status=response.status_code)
        except FetchFailed as refused:
            return DeliveryResponse(error=refused.fault.value)
        except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError, OSError, ValueError) as error:
            return DeliveryResponse(error=type(error).__name__)

    async def close(self) -> None:
        await self._http.aclose()


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
