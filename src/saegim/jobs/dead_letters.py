"""The job queue for operators: list jobs and replay dead letters."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from saegim.db.cells import Cell, fetch_all


class JobState(StrEnum):
    WAITING = "waiting"
    SCHEDULED = "scheduled"
    RUNNING = "running"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class JobEntry:
    """A job in the queue of a cell; its ID is unique in the cell. `error` is the class of its last
    error."""

    cell: str
    id: int
    kind: str
    state: JobState
    tenant: str
    subject: str
    lock: str | None
    queued_at: datetime | None
    due_at: datetime | None
    failures: int
    error: str | None
    failed_at: datetime | None


class DeadLetters:
    """The jobs of a cell. All methods raise StoreUnavailable."""

    def __init__(self, cell: Cell) -> None:
        self._cell = cell

    async def jobs(self, most: int, *, only_failed: bool = False) -> list[JobEntry]:
        """Lists the oldest jobs, of all tenants."""
        return await self._list(job=None, most=most, only_failed=only_failed)

    async def find(self, job: int) -> JobEntry | None:
        jobs = await self._list(job=job, most=1, only_failed=False)
        return jobs[0] if jobs else None

    async def replay(self, job: int) -> bool:
        """Queues a dead letter again; returns False if it is not one."""
        return bool(await self._replay(job))

    async def replay_all(self) -> list[int]:
        """Queues all dead letters again; returns their IDs."""
        return await self._replay(None)

    async def _list(self, **values: object) -> list[JobEntry]:
        async with self._cell.connection() as connection:
            rows = await fetch_all(connection, "list_jobs", **values)
        return [
            JobEntry(cell=self._cell.name, state=_state(row.pop("status"), row["due_at"]), **row)
            for row in rows
        ]

    async def _replay(self, job: int | None) -> list[int]:
        async with self._cell.connection() as connection:
            rows = await fetch_all(connection, "replay_jobs", job=job)
        return sorted(row["id"] for row in rows)


def _state(status: str, due: datetime | None) -> JobState:
    match status:
        case "todo":
            return JobState.WAITING if due is None else JobState.SCHEDULED
        case "doing":
            return JobState.RUNNING
        case _:
            return JobState.FAILED
