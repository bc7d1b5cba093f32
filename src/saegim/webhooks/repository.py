"""Webhooks and their deliveries in Postgres."""

from collections.abc import Set
from datetime import timedelta
from uuid import UUID

from saegim.db.cells import Cells, Row, execute, fetch_all, fetch_one, from_row
from saegim.domain import pending_audit_event
from saegim.domain.errors import Conflict, NotFound
from saegim.domain.ids import LAST_ID, Clock, new_id
from saegim.encryption.cipher import FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.jobs.queue import JobQueue
from saegim.webhooks.outbox import Outbox, WebhookEvent, deliver_job
from saegim.webhooks.types import Delivery, DeliveryResponse, DeliveryState, Parcel, Webhook

MOST_WEBHOOKS = 20
RETENTION = timedelta(days=30)


class PostgresWebhooks:
    def __init__(self, cells: Cells, keyring: Keyring, jobs: JobQueue, clock: Clock) -> None:
        self._cells = cells
        self._keyring = keyring
        self._jobs = jobs
        self._clock = clock
        self._outbox = Outbox(jobs, clock)

    async def add(self, tenant: UUID, url: str, events: Set[WebhookEvent], secret: str) -> Webhook:
        """Store a webhook with its encrypted secret. Raises Conflict if there are too many."""
        now = self._clock.now()
        identifier = new_id(now)
        pending_audit_event.about(identifier)
        cipher = await self._keyring.tenant(tenant)
        async with self._cells.transaction(tenant) as connection:
            row = await fetch_one(connection, "count_webhooks", tenant=tenant)
            if row is not None and row["webhooks"] >= MOST_WEBHOOKS:
                raise Conflict(f"a tenant may have {MOST_WEBHOOKS} webhooks")
            await execute(
                connection,
                "add_webhook",
                tenant=tenant,
                webhook=identifier,
                url=url,
                events=sorted(event.value for event in events),
                secret=cipher.seal(secret, _location(identifier)),
                now=now,
            )
        return Webhook(identifier, tenant, url, frozenset(events), now)

    async def all(self, tenant: UUID) -> list[Webhook]:
        """Return a tenant's webhooks, oldest first."""
        rows = await self._cells.read(tenant, "list_webhooks")
        return [from_row(Webhook, row, id=row["webhook_id"]) for row in rows]

    async def remove(self, tenant: UUID, webhook: UUID) -> None:
        """Delete a webhook and its deliveries. Raises NotFound."""
        _require(await self._cells.fetch_one(tenant, "drop_webhook", webhook=webhook))

    async def queue_event(self, tenant: UUID, event: WebhookEvent, subject: UUID) -> int:
        """Queue an event for each subscribed webhook, and return how many."""
        async with self._cells.transaction(tenant) as connection:
            return await self._outbox.queue_event(connection, tenant, event, subject)

    async def queue_test_delivery(
        self, tenant: UUID, webhook: UUID, event: WebhookEvent
    ) -> Delivery:
        """Queue an event for one webhook. Raises NotFound."""
        async with self._cells.transaction(tenant) as connection:
            _require(await fetch_one(connection, "find_webhook", tenant=tenant, webhook=webhook))
            queued = await self._outbox.queue(connection, tenant, webhook, event, webhook)
            row = await fetch_one(connection, "find_delivery", tenant=tenant, delivery=queued)
        assert row is not None, "it was just queued"
        return _delivery(row)

    async def parcel(self, tenant: UUID, delivery: UUID) -> Parcel | None:
        """Return the delivery to send, or None if its webhook is gone."""
        cipher = await self._keyring.tenant(tenant)
        row = await self._cells.read_one(tenant, "find_delivery", delivery=delivery)
        if row is None:
            return None
        secret = cipher.open(row["secret"], _location(row["webhook_id"]))
        return Parcel(_delivery(row), row["url"], secret)

    async def settle(
        self,
        delivery: Delivery,
        state: DeliveryState,
        response: DeliveryResponse,
        again_in: float | None,
    ) -> None:
        """Record an attempt, and queue the next one if there is any."""
        tenant, now = delivery.tenant, self._clock.now()
        async with self._cells.transaction(tenant) as connection:
            noted = await execute(
                connection,
                "note_delivery",
                tenant=tenant,
                delivery=delivery.id,
                state=state.value,
                status=response.status,
                error=response.error,
                settled_at=now if again_in is None else None,
            )
            if noted and again_in is not None:
                # A job that runs twice finds the next attempt queued by its first run.
                await self._jobs.defer_once(connection, deliver_job(tenant, delivery.id, again_in))
            await execute(
                connection,
                "drop_old_deliveries",
                tenant=tenant,
                webhook=delivery.webhook,
                before=now - RETENTION,
            )

    async def deliveries(
        self, tenant: UUID, webhook: UUID, before: UUID | None, count: int
    ) -> list[Delivery]:
        """Return the deliveries of a webhook, newest first. Raises NotFound."""
        async with self._cells.transaction(tenant) as connection:
            _require(await fetch_one(connection, "find_webhook", tenant=tenant, webhook=webhook))
            rows = await fetch_all(
                connection,
                "list_deliveries",
                tenant=tenant,
                webhook=webhook,
                before=before or LAST_ID,
                count=count,
            )
        return [_delivery(row) for row in rows]


def _location(webhook: UUID) -> FieldLocation:
    return FieldLocation("webhook.secret", webhook)


def _require(row: Row | None) -> None:
    if row is None:
        raise NotFound("webhook")


def _delivery(row: Row) -> Delivery:
    return from_row(Delivery, row, id=row["delivery_id"])
