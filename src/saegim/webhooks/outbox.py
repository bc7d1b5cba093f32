"""Queue webhook events in the transaction that causes them."""

from enum import StrEnum
from uuid import UUID

from psycopg import AsyncCursor

from saegim.db.cells import Connection, Row, ask, execute
from saegim.domain.ids import Clock, new_id
from saegim.jobs.queue import JobQueue
from saegim.jobs.types import Job, JobKind


class WebhookEvent(StrEnum):
    """Event types of webhooks."""

    TURN_DONE = "turn.done"
    TURN_UNANSWERED = "turn.unanswered"
    HANDED_OFF = "turn.handed_off"
    INGEST_DONE = "ingest.done"
    ERASURE_DONE = "erasure.done"
    PING = "ping"


class Outbox:
    def __init__(self, jobs: JobQueue, clock: Clock) -> None:
        self._jobs = jobs
        self._clock = clock

    async def queue_event(
        self, connection: Connection, tenant: UUID, event: WebhookEvent, subject: UUID
    ) -> int:
        """Queue a delivery for each subscribed webhook, and return how many."""
        subscribed = await self.ask(connection, tenant, event)
        return await self.queue_all(connection, tenant, subscribed, (event, subject))

    async def ask(
        self, connection: Connection, tenant: UUID, event: WebhookEvent
    ) -> AsyncCursor[Row]:
        """Query the subscribed webhooks; fetched later, it costs no round trip in a pipeline."""
        return await ask(connection, "webhooks_for", tenant=tenant, event=event.value)

    async def queue_all(
        self,
        connection: Connection,
        tenant: UUID,
        subscribed: AsyncCursor[Row],
        event: tuple[WebhookEvent, UUID],
    ) -> int:
        """Queue a delivery for each queried webhook, and return how many."""
        rows = await subscribed.fetchall()
        for row in rows:
            await self.queue(connection, tenant, row["webhook_id"], *event)
        return len(rows)

    async def queue(
        self,
        connection: Connection,
        tenant: UUID,
        webhook: UUID,
        event: WebhookEvent,
        subject: UUID,
    ) -> UUID:
        now = self._clock.now()
        delivery = new_id(now)
        await execute(
            connection,
            "add_delivery",
            tenant=tenant,
            delivery=delivery,
            webhook=webhook,
            event=event.value,
            subject=subject,
            now=now,
        )
        await self._jobs.defer(connection, deliver_job(tenant, delivery))
        return delivery


def deliver_job(tenant: UUID, delivery: UUID, delay: float = 0.0) -> Job:
    """Return the job of one attempt; only one runs at a time for each delivery."""
    kind = JobKind.DELIVER
    return Job(kind, tenant, delivery, lock=f"{kind}:{delivery}", delay_seconds=delay)
