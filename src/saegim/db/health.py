"""Health of Postgres, its schema and its workers."""

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from psycopg.errors import InsufficientPrivilege, InvalidSchemaName, UndefinedTable

from saegim.db.cells import HOME_CELL, Cells, fetch_all, fetch_one
from saegim.db.pool import Connection
from saegim.domain.errors import StoreUnavailable


@dataclass(frozen=True, slots=True)
class StoreHealth:
    """Health of a cell. `connections` counts all connections of its server."""

    server: str
    vector: str | None
    revision: str | None
    can_bypass: bool
    owns_tables: bool
    workers: int
    heartbeat_seconds: float | None
    waiting: int
    lag_seconds: float
    failed: int
    connections: int


class PostgresHealth:
    def __init__(self, cells: Cells, now: Callable[[], float] = time.monotonic) -> None:
        self._cells = cells
        self._now = now
        self._worker_seen = now()

    async def check(self, cell: str = HOME_CELL) -> StoreHealth:
        """Checks a cell. Raises StoreUnavailable, also if there is no schema."""
        async with self._connection(cell) as connection:
            row = await fetch_one(connection, "store_health")
        assert row is not None, "the health query returns one row"
        return StoreHealth(**row)

    def without_worker(self, health: StoreHealth) -> float:
        """Returns the seconds since the last worker heartbeat, or since this process started."""
        if health.workers:
            self._worker_seen = self._now()
            return 0.0
        silent = self._now() - self._worker_seen
        return silent if health.heartbeat_seconds is None else min(silent, health.heartbeat_seconds)

    async def embedders_in_use(self, cell: str = HOME_CELL) -> tuple[str, ...]:
        """Returns the embedders of the indexes of a cell. Raises StoreUnavailable."""
        async with self._connection(cell) as connection:
            rows = await fetch_all(connection, "embedders_in_use")
        return tuple(row["embedder"] for row in rows)

    @asynccontextmanager
    async def _connection(self, cell: str) -> AsyncGenerator[Connection]:
        try:
            async with self._cells.named(cell).connection() as connection:
                yield connection
        except (UndefinedTable, InvalidSchemaName, InsufficientPrivilege) as missing:
            raise StoreUnavailable("there is no schema yet: run `saegim migrate`") from missing
