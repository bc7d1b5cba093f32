"""How long conversations are kept: a job of each tenant that queues its successor (WM8)."""

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from uuid import UUID

from saegim.domain.clock import Clock
from saegim.domain.jobs import Job, JobKind
from saegim.governance.ports import Removed, TranscriptStore

log = logging.getLogger(__name__)

EVERY_SECONDS = 24 * 60 * 60.0
AT_ONCE = 200

Remove = Callable[[UUID, datetime, int], Awaitable[Removed]]


def clean_up_job(tenant: UUID) -> Job:
    """A tenant's next clean-up. Tenants cannot be listed from inside the fence between them, so
    there is no job for all: each tenant's begins with its first session and goes on by itself."""
    return Job(
        JobKind.CLEAN_UP,
        tenant,
        tenant,
        lock=f"{JobKind.CLEAN_UP}:{tenant}",
        delay_seconds=EVERY_SECONDS,
    )


class Retention:
    """`keep` is how long transcripts are kept; None is for ever."""

    def __init__(self, store: TranscriptStore, clock: Clock, keep: timedelta | None) -> None:
        self._store = store
        self._clock = clock
        self._keep = keep

    async def clean_up(self, tenant: UUID, subject: UUID) -> Removed:
        """Removes a tenant's expired transcripts, and counts them. Running twice does no harm."""
        assert subject == tenant, "a clean-up is of a whole tenant"
        removed = Removed()
        if self._keep is not None:
            before = self._clock.now() - self._keep
            for remove in (self._store.remove_idle, self._store.remove_old):
                removed += await _all(remove, tenant, before)
        log.info(
            "clean-up of tenant %s removed %s sessions, %s turns, %s episodes",
            tenant,
            removed.sessions,
            removed.turns,
            removed.episodes,
        )
        await self._store.clean_again(tenant)
        return removed


async def _all(remove: Remove, tenant: UUID, before: datetime) -> Removed:
    """Batch after batch, each in a transaction of its own."""
    total = Removed()
    while removed := await remove(tenant, before, AT_ONCE):
        total += removed
    return total
