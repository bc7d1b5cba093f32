"""Storage quotas: counted in the transaction that adds."""

from uuid import UUID

from saegim.db.cells import Connection, fetch_one
from saegim.domain.errors import QuotaExceeded
from saegim.quotas.storage_limits import Quota, Quotas

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
