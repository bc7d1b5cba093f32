"""OIDC issuers of tenants in Postgres."""

from uuid import UUID

from psycopg.errors import ForeignKeyViolation
from psycopg.types.json import Jsonb

from saegim.auth.types import Issuer
from saegim.db.cells import Cells, Row, execute, fetch_all, fetch_one
from saegim.domain.errors import NotFound
from saegim.domain.ids import Clock


class PostgresIssuers:
    def __init__(self, cells: Cells, clock: Clock) -> None:
        self._cells = cells
        self._clock = clock

    async def find(self, tenant: UUID, url: str) -> Issuer | None:
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            row = await fetch_one(connection, "find_issuer", tenant=tenant, url=url)
        return None if row is None else _issuer(tenant, row)

    async def issuers(self, tenant: UUID) -> list[Issuer]:
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            rows = await fetch_all(connection, "list_issuers", tenant=tenant)
        return [_issuer(tenant, row) for row in rows]

    async def put(self, issuer: Issuer) -> None:
        """Stores an issuer, or replaces the one with the same URL. Raises NotFound for an unknown
        assistant."""
        values = {
            "issuer": issuer.id,
            "url": issuer.url,
            "audience": issuer.audience,
            "jwks_url": issuer.jwks_url,
            "jwks": None if issuer.jwks is None else Jsonb(dict(issuer.jwks)),
            "assistant": issuer.assistant,
            "user_claim": issuer.user_claim,
            "groups_claim": issuer.groups_claim,
            "now": self._clock.now(),
        }
        cell = await self._cells.for_tenant(issuer.tenant)
        try:
            async with cell.transaction(issuer.tenant) as connection:
                await execute(connection, "put_issuer", tenant=issuer.tenant, **values)
        except ForeignKeyViolation as unknown:
            raise NotFound("assistant") from unknown

    async def remove(self, tenant: UUID, issuer: UUID) -> bool:
        """Deletes an issuer; returns whether it existed."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            return await execute(connection, "drop_issuer", tenant=tenant, issuer=issuer) > 0


def _issuer(tenant: UUID, row: Row) -> Issuer:
    names = ("url", "audience", "jwks_url", "jwks", "user_claim", "groups_claim")
    return Issuer(
        id=row["issuer_id"],
        tenant=tenant,
        assistant=row["assistant_id"],
        **{name: row[name] for name in names},
    )
