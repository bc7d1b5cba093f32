"""What happened, queued in the transaction in which it happened."""

from uuid import UUID

from psycopg import AsyncCursor

from saegim.db.cells import Connection, Row, ask, execute
from saegim.domain.ids import Clock, new_id
from saegim.jobs.queue import JobQueue
from saegim.jobs.types import Job, JobKind
from saegim.webhooks.events import WebhookEvent


class Outbox:
    def __init__(self, jobs: JobQueue, clock: Clock) -> None:
        self._jobs = jobs
        self._clock = clock

    async def queue_event(
        self, connection: Connection, tenant: UUID, event: WebhookEvent, subject: UUID
    ) -> int:
        """A delivery and its job for everyone who wants to know; how many."""
        wanted = await self.ask(connection, tenant, event)
        return await self.queue_all(connection, tenant, wanted, (event, subject))

    async def ask(
        self, connection: Connection, tenant: UUID, event: WebhookEvent
    ) -> AsyncCursor[Row]:
        """Who wants to know, to be fetched later: in a pipeline it costs no round trip."""
        return await ask(connection, "webhooks_for", tenant=tenant, event=event.value)

    async def queue_all(
        self,
        connection: Connection,
        tenant: UUID,
        wanted: AsyncCursor[Row],
        event: tuple[WebhookEvent, UUID],
    ) -> int:
        """A delivery and its job for each of them; how many."""
        found = await wanted.fetchall()
        for row in found:
            await self.queue(connection, tenant, row["webhook_id"], *event)
        return len(found)

    async def queue(
        self,
        connection: Connection,
        tenant: UUID,
        webhook: UUID,
        event: WebhookEvent,
        subject: UUID,
    ) -> UUID:
        """A delivery to one, and its job."""
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
    """One attempt; never two of a delivery at a time."""
    kind = JobKind.DELIVER
    return Job(kind, tenant, delivery, lock=f"{kind}:{delivery}", delay_seconds=delay)
