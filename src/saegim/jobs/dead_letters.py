"""The queue as operators see it: what waits, what runs, what failed for good and may run again."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from saegim.db.cells import Cell, Row, fetch_all


class JobState(StrEnum):
    WAITING = "waiting"
    SCHEDULED = "scheduled"
    RUNNING = "running"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class JobEntry:
    """A job in the queue of a cell, where its id is one of a kind. `error` is the class of its last
    error; what it said is not kept."""

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
    """A cell's jobs. All methods raise StoreUnavailable."""

    def __init__(self, cell: Cell) -> None:
        self._cell = cell

    async def jobs(self, most: int, *, only_failed: bool = False) -> list[JobEntry]:
        """The oldest jobs in the queue, of all tenants."""
        return await self._list(job=None, most=most, only_failed=only_failed)

    async def find(self, job: int) -> JobEntry | None:
        found = await self._list(job=job, most=1, only_failed=False)
        return found[0] if found else None

    async def replay(self, job: int) -> bool:
        """Puts a job that failed for good back in line; False if it is not such a job."""
        return bool(await self._replay(job))

    async def replay_all(self) -> list[int]:
        """Puts everything that failed for good back in line; the ids."""
        return await self._replay(None)

    async def _list(self, **values: object) -> list[JobEntry]:
        async with self._cell.connection() as connection:
            rows = await fetch_all(connection, "list_jobs", **values)
        return [_entry(self._cell.name, row) for row in rows]

    async def _replay(self, job: int | None) -> list[int]:
        async with self._cell.connection() as connection:
            rows = await fetch_all(connection, "replay_jobs", job=job)
        return sorted(row["id"] for row in rows)


def _entry(cell: str, row: Row) -> JobEntry:
    return JobEntry(
        cell=cell,
        id=row["id"],
        kind=row["kind"],
        state=_state(row["status"], row["due_at"]),
        tenant=row["tenant"],
        subject=row["subject"],
        lock=row["lock"],
        queued_at=row["queued_at"],
        due_at=row["due_at"],
        failures=row["failures"],
        error=row["error"],
        failed_at=row["failed_at"],
    )


def _state(status: str, due: datetime | None) -> JobState:
    match status:
        case "todo":
            return JobState.WAITING if due is None else JobState.SCHEDULED
        case "doing":
            return JobState.RUNNING
        case _:
            return JobState.FAILED
