"""Storage quotas: counted in the transaction that adds."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from saegim.db.cells import Connection, fetch_one
from saegim.domain.errors import QuotaExceeded


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
