"""OIDC issuers of tenants in Postgres."""

from uuid import UUID

from psycopg.errors import ForeignKeyViolation
from psycopg.types.json import Jsonb

from saegim.auth.types import Issuer
from saegim.db.cells import Cells, Row, from_row
from saegim.domain.errors import NotFound
from saegim.domain.ids import Clock


class PostgresIssuers:
    def __init__(self, cells: Cells, clock: Clock) -> None:
        self._cells = cells
        self._clock = clock

    async def find(self, tenant: UUID, url: str) -> Issuer | None:
        row = await self._cells.fetch_one(tenant, "find_issuer", url=url)
        return None if row is None else _issuer(tenant, row)

    async def issuers(self, tenant: UUID) -> list[Issuer]:
        rows = await self._cells.fetch_all(tenant, "list_issuers")
        return [_issuer(tenant, row) for row in rows]

    async def put(self, issuer: Issuer) -> None:
        """Stores an issuer, or replaces the one with the same URL. Raises NotFound for an unknown
        assistant."""
        names = ("url", "audience", "jwks_url", "assistant", "user_claim", "groups_claim")
        values = {name: getattr(issuer, name) for name in names} | {
            "issuer": issuer.id,
            "jwks": None if issuer.jwks is None else Jsonb(dict(issuer.jwks)),
            "now": self._clock.now(),
        }
        try:
            await self._cells.run_query(issuer.tenant, "put_issuer", **values)
        except ForeignKeyViolation as unknown:
            raise NotFound("assistant") from unknown

    async def remove(self, tenant: UUID, issuer: UUID) -> bool:
        """Deletes an issuer; returns whether it existed."""
        return await self._cells.run_query(tenant, "drop_issuer", issuer=issuer) > 0


def _issuer(tenant: UUID, row: Row) -> Issuer:
    return from_row(Issuer, row, id=row["issuer_id"], tenant=tenant)
