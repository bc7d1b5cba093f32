"""Stored limits and quotas."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from saegim.db.cells import Cells, Connection, Row, execute, fetch_all, fetch_one
from saegim.domain.errors import QuotaExceeded
from saegim.domain.etags import ExpectedVersion
from saegim.quotas.counters import Limit, Resource

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


class Quota(StrEnum):
    """What is counted; the value stands in the problem's detail."""

    DOCUMENTS = "documents"
    DOCUMENT_MB = "document_mb"
    SOURCES = "sources"
    COLLECTIONS = "collections"
    MEMBERS = "members"
    PROFILES = "profiles"


@dataclass(frozen=True, slots=True)
class Quotas:
    """The most of each for a tenant; profiles are for each member. None is without bound."""

    documents: int | None = 100_000
    document_mb: int | None = 10_000
    sources: int | None = 100
    collections: int | None = 1_000
    members: int | None = 100_000
    profiles: int | None = 20

    def most(self, quota: Quota) -> int | None:
        return getattr(self, quota.value)


USED = {
    Quota.DOCUMENTS: "used_documents",
    Quota.DOCUMENT_MB: "used_document_mb",
    Quota.SOURCES: "used_sources",
    Quota.COLLECTIONS: "used_collections",
    Quota.MEMBERS: "used_members",
    Quota.PROFILES: "used_profiles",
}


async def require_room(
    connection: Connection,
    tenant: UUID,
    quotas: Quotas,
    quota: Quota,
    **values: object,
) -> None:
    """Raises QuotaExceeded where one more would be too many."""
    most = quotas.most(quota)
    if most is None:
        return
    row = await fetch_one(connection, USED[quota], tenant=tenant, **values)
    assert row is not None, "a count is a row"
    if row["used"] >= most:
        raise QuotaExceeded(f"{quota}: {most}")
