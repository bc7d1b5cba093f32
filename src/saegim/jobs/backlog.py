"""The job backlog of a tenant."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from saegim.db.cells import Cells, fetch_all, fetch_one


@dataclass(frozen=True, slots=True)
class FailedJob:
    """A job whose retries are exhausted. `error` is the class of its last error."""

    id: int
    kind: str
    failures: int
    error: str
    failed_at: datetime


@dataclass(frozen=True, slots=True)
class JobBacklog:
    """Jobs of a tenant; `lag_seconds` is the age of the oldest waiting job."""

    waiting: int
    running: int
    lag_seconds: float
    failed: Sequence[FailedJob]


class PostgresBackground:
    def __init__(self, cells: Cells) -> None:
        self._cells = cells

    async def backlog(self, tenant: UUID, most: int) -> JobBacklog:
        """Counts waiting and running jobs, and lists failed ones, newest first."""
        async with self._cells.transaction(tenant) as connection:
            counted = await fetch_one(connection, "count_backlog", tenant=tenant)
            failed = await fetch_all(connection, "list_failed", tenant=tenant, most=most)
        return JobBacklog(**(counted or {}), failed=tuple(FailedJob(**row) for row in failed))

    async def replay(self, tenant: UUID, job: int) -> bool:
        """Queues a failed job again; returns False if the tenant has no such job."""
        return bool(await self._cells.fetch_all(tenant, "replay_own_job", job=job))
