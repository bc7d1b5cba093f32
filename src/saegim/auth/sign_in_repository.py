"""Browser sign-ins in Postgres."""

from datetime import datetime
from uuid import UUID

from saegim.auth.types import Account
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

    async def add_with_account(
        self, account: Account, sign_in: UUID, now: datetime, expires_at: datetime
    ) -> bool:
        """Stores a new sign-in, as `add` does; returns False if the password is another one by
        now."""
        owner = {"tenant": account.tenant, "member": account.member, "now": now}
        async with self._cells.transaction(account.tenant) as connection:
            await execute(connection, "drop_old_sign_ins", **owner)
            values = {"sign_in": sign_in, "expires_at": expires_at}
            values |= {"password_hash": account.password_hash}
            return await execute(connection, "add_account_sign_in", **owner, **values) > 0

    async def end(self, tenant: UUID, sign_in: UUID, at: datetime) -> None:
        await self._cells.run_query(tenant, "end_sign_in", sign_in=sign_in, now=at)

    async def end_all(self, tenant: UUID, member: UUID, at: datetime) -> None:
        await self._cells.run_query(tenant, "end_sign_ins_of_member", member=member, now=at)
