"""Browser sign-ins in Postgres."""

from datetime import datetime
from uuid import UUID

from saegim.db.cells import Cells, execute


class PostgresSignIns:
    def __init__(self, cells: Cells) -> None:
        self._cells = cells

    async def add(
        self, tenant: UUID, sign_in: UUID, member: UUID, now: datetime, expires_at: datetime
    ) -> None:
        """Stores a new sign-in and deletes expired ones of the member."""
        owner = {"tenant": tenant, "member": member, "now": now}
        async with self._cells.transaction(tenant) as connection:
            await execute(connection, "drop_old_sign_ins", **owner)
            values = {"sign_in": sign_in, "expires_at": expires_at}
            await execute(connection, "add_sign_in", **owner, **values)

    async def end(self, tenant: UUID, sign_in: UUID, at: datetime) -> None:
        await self._cells.run_query(tenant, "end_sign_in", sign_in=sign_in, now=at)

    async def end_all(self, tenant: UUID, member: UUID, at: datetime) -> None:
        await self._cells.run_query(tenant, "end_sign_ins_of_member", member=member, now=at)
