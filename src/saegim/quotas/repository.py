"""A tenant's own limits in Postgres, remembered for a moment."""

import time
from collections.abc import Callable, Sequence
from uuid import UUID

from saegim.db.cells import Cells, Connection, Row, execute, fetch_all
from saegim.domain.etags import ExpectedVersion
from saegim.quotas.types import Limit, Resource

REMEMBER_SECONDS = 10.0
MOST_REMEMBERED = 10_000


class PostgresLimits:
    """Another process follows a change within `REMEMBER_SECONDS`."""

    def __init__(self, cells: Cells, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._cells = cells
        self._monotonic = monotonic
        self._known: dict[UUID, tuple[float, list[Limit]]] = {}

    async def limits(self, tenant: UUID) -> list[Limit]:
        """All of them."""
        now = self._monotonic()
        known = self._known.get(tenant)
        if known is not None and known[0] > now:
            return known[1]
        cell = await self._cells.for_tenant(tenant)
        found = [_limit(row) for row in await cell.read(tenant, "list_limits")]
        if len(self._known) >= MOST_REMEMBERED:
            self._known.clear()
        self._known[tenant] = (now + REMEMBER_SECONDS, found)
        return found

    async def put(
        self, tenant: UUID, limits: Sequence[Limit], seen: ExpectedVersion | None
    ) -> list[Limit]:
        """Replaces all of them; tells them in their order. Raises Changed where others were
        seen.
        """
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            await execute(connection, "lock_tenant", tenant=tenant)
            if seen is not None:
                seen.require(await _own(connection, tenant))
            await execute(connection, "drop_limits", tenant=tenant)
            for limit in limits:
                await execute(
                    connection,
                    "add_limit",
                    tenant=tenant,
                    subject=limit.subject,
                    resource=limit.resource.value,
                    window_seconds=limit.window_seconds,
                    most=limit.most,
                )
            stored = await _own(connection, tenant)
        self._known.pop(tenant, None)
        return stored


async def _own(connection: Connection, tenant: UUID) -> list[Limit]:
    return [_limit(row) for row in await fetch_all(connection, "list_limits", tenant=tenant)]


def _limit(row: Row) -> Limit:
    return Limit(row["subject"], Resource(row["resource"]), row["window_seconds"], row["most"])
