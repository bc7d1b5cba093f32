"""Webhooks and their deliveries in Postgres."""

from collections.abc import Set
from datetime import timedelta
from uuid import UUID

from saegim.db.cells import Cells, Row, execute, fetch_all, fetch_one
from saegim.domain import pending_audit_event
from saegim.domain.errors import Conflict, NotFound
from saegim.domain.ids import Clock, new_id
from saegim.encryption.cipher import FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.jobs.queue import JobQueue
from saegim.webhooks.events import WebhookEvent
from saegim.webhooks.outbox import Outbox, deliver_job
from saegim.webhooks.types import Delivery, DeliveryResponse, DeliveryState, Parcel, Webhook

MOST_WEBHOOKS = 20
KEPT = timedelta(days=30)

# Past every id.
_LAST = UUID(int=2**128 - 1)


class PostgresWebhooks:
    def __init__(self, cells: Cells, keyring: Keyring, jobs: JobQueue, clock: Clock) -> None:
        self._cells = cells
        self._keyring = keyring
        self._jobs = jobs
        self._clock = clock
        self._outbox = Outbox(jobs, clock)

    async def add(self, tenant: UUID, url: str, events: Set[WebhookEvent], secret: str) -> Webhook:
        """Stores one, with its secret sealed. Raises Conflict where there are too many."""
        now = self._clock.now()
        identifier = new_id(now)
        pending_audit_event.about(identifier)
        cipher = await self._keyring.tenant(tenant)
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            counted = await fetch_one(connection, "count_webhooks", tenant=tenant)
            if counted is not None and counted["webhooks"] >= MOST_WEBHOOKS:
                raise Conflict(f"a tenant may have {MOST_WEBHOOKS} webhooks")
            await execute(
                connection,
                "add_webhook",
                tenant=tenant,
                webhook=identifier,
                url=url,
                events=sorted(event.value for event in events),
                secret=cipher.seal(secret, _place(identifier)),
                now=now,
            )
        return Webhook(identifier, tenant, url, frozenset(events), now)

    async def all(self, tenant: UUID) -> list[Webhook]:
        """All of a tenant, oldest first."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            rows = await fetch_all(connection, "list_webhooks", tenant=tenant)
        return [_webhook(row) for row in rows]

    async def remove(self, tenant: UUID, webhook: UUID) -> None:
        """Takes one away with what it waits for. Raises NotFound."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            found = await fetch_one(connection, "drop_webhook", tenant=tenant, webhook=webhook)
        if found is None:
            raise NotFound("webhook")

    async def queue_event(self, tenant: UUID, event: WebhookEvent, subject: UUID) -> int:
        """Queues a happening for everyone who wants it; how many."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            return await self._outbox.queue_event(connection, tenant, event, subject)

    async def queue_test_delivery(
        self, tenant: UUID, webhook: UUID, event: WebhookEvent
    ) -> Delivery:
        """Queues a happening for one webhook, whatever it wants. Raises NotFound."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            _require(await fetch_one(connection, "find_webhook", tenant=tenant, webhook=webhook))
            queued = await self._outbox.queue(connection, tenant, webhook, event, webhook)
            row = await fetch_one(connection, "find_delivery", tenant=tenant, delivery=queued)
        assert row is not None, "it was queued a moment ago"
        return _delivery(row)

    async def parcel(self, tenant: UUID, delivery: UUID) -> Parcel | None:
        """What is to be sent; None where its webhook is gone."""
        cipher = await self._keyring.tenant(tenant)
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            row = await fetch_one(connection, "find_delivery", tenant=tenant, delivery=delivery)
        if row is None:
            return None
        secret = cipher.open(row["secret"], _place(row["webhook_id"]))
        return Parcel(_delivery(row), row["url"], secret)

    async def settle(
        self,
        delivery: Delivery,
        state: DeliveryState,
        answer: DeliveryResponse,
        again_in: float | None,
    ) -> None:
        """Notes an attempt; queues the next one in so many seconds where there is one."""
        tenant, now = delivery.tenant, self._clock.now()
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            noted = await execute(
                connection,
                "note_delivery",
                tenant=tenant,
                delivery=delivery.id,
                state=state.value,
                status=answer.status,
                error=answer.error,
                settled_at=now if again_in is None else None,
            )
            if noted and again_in is not None:
                await self._jobs.defer(connection, deliver_job(tenant, delivery.id, again_in))
            await execute(
                connection,
                "drop_old_deliveries",
                tenant=tenant,
                webhook=delivery.webhook,
                before=now - KEPT,
            )

    async def deliveries(
        self, tenant: UUID, webhook: UUID, before: UUID | None, count: int
    ) -> list[Delivery]:
        """What one was told, newest first. Raises NotFound."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            _require(await fetch_one(connection, "find_webhook", tenant=tenant, webhook=webhook))
            rows = await fetch_all(
                connection,
                "list_deliveries",
                tenant=tenant,
                webhook=webhook,
                before=before or _LAST,
                count=count,
            )
        return [_delivery(row) for row in rows]


def _place(webhook: UUID) -> FieldLocation:
    return FieldLocation("webhook.secret", webhook)


def _require(row: Row | None) -> None:
    if row is None:
        raise NotFound("webhook")


def _webhook(row: Row) -> Webhook:
    return Webhook(
        id=row["webhook_id"],
        tenant=row["tenant_id"],
        url=row["url"],
        events=frozenset(WebhookEvent(event) for event in row["events"]),
        created_at=row["created_at"],
    )


def _delivery(row: Row) -> Delivery:
    return Delivery(
        id=row["delivery_id"],
        tenant=row["tenant_id"],
        webhook=row["webhook_id"],
        event=WebhookEvent(row["event"]),
        subject=row["subject_id"],
        state=DeliveryState(row["state"]),
        attempts=row["attempts"],
        created_at=row["created_at"],
        status=row["status"],
        error=row["error"],
        settled_at=row["settled_at"],
    )
