"""Stored limits and quotas."""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from uuid import UUID

from saegim.db.cells import Cells, Connection, execute, fetch_all, fetch_one, from_row
from saegim.domain.errors import QuotaExceeded
from saegim.domain.etags import ExpectedVersion
from saegim.quotas.counters import Limit

CACHE_SECONDS = 10.0
MOST_CACHED = 10_000


class PostgresLimits:
    """Other processes see a change within `CACHE_SECONDS`."""

    def __init__(self, cells: Cells, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._cells = cells
        self._monotonic = monotonic
        self._cache: dict[UUID, tuple[float, list[Limit]]] = {}

    async def limits(self, tenant: UUID) -> list[Limit]:
        now = self._monotonic()
        cached = self._cache.get(tenant)
        if cached is not None and cached[0] > now:
            return cached[1]
        limits = [from_row(Limit, row) for row in await self._cells.read(tenant, "list_limits")]
        if len(self._cache) >= MOST_CACHED:
            self._cache.clear()
        self._cache[tenant] = (now + CACHE_SECONDS, limits)
        return limits

    async def put(
        self, tenant: UUID, limits: Sequence[Limit], seen: ExpectedVersion | None
    ) -> list[Limit]:
        """Replace all limits, and return them in order. Raises VersionConflict."""
        async with self._cells.transaction(tenant) as connection:
            await execute(connection, "lock_tenant", tenant=tenant)
            if seen is not None:
                seen.require(await _own(connection, tenant))
            await execute(connection, "drop_limits", tenant=tenant)
            for limit in limits:
                await execute(connection, "add_limit", tenant=tenant, **asdict(limit))
            stored = await _own(connection, tenant)
        self._cache.pop(tenant, None)
        return stored


async def _own(connection: Connection, tenant: UUID) -> list[Limit]:
    rows = await fetch_all(connection, "list_limits", tenant=tenant)
    return [from_row(Limit, row) for row in rows]


class Quota(StrEnum):
    """Counted objects; the value appears in the error."""

    DOCUMENTS = "documents"
    DOCUMENT_MB = "document_mb"
    SOURCES = "sources"
    COLLECTIONS = "collections"
    MEMBERS = "members"
    PROFILES = "profiles"


@dataclass(frozen=True, slots=True)
class Quotas:
    """Limits per tenant, profiles per member; None is unlimited."""

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
    connection: Connection, tenant: UUID, quotas: Quotas, quota: Quota, **values: object
) -> None:
    """Raise QuotaExceeded if one more would exceed the quota."""
    most = quotas.most(quota)
    if most is None:
        return
    row = await fetch_one(connection, USED[quota], tenant=tenant, **values)
    assert row is not None, "a count is a row"
    if row["used"] >= most:
        raise QuotaExceeded(f"{quota}: {most}")
