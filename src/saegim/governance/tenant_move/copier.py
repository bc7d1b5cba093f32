"""A tenant's rows from one database to another while they change: what is new is told by the
transaction that wrote it, what is gone by the number of rows."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from psycopg.errors import UniqueViolation
from psycopg.sql import SQL, Composed, Identifier, Literal

from saegim.db.tables import Owner, Table, first, listed
from saegim.domain.errors import Conflict

HORIZON = b"select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest"
# The lock that writers of a tenant share (`cells.WRITE_TENANT`).
TAKE_ALONE = b"select pg_advisory_lock(hashtextextended(%s, 7323445146))"
TAKE_MOVE = b"select pg_advisory_lock(hashtextextended(%s, 7323445147))"
XIDS = 2**32
# Numbers of jobs and of transactions, which every cell gives out itself.
NOT_COMPARED = {("turn", "watch_job"), ("memory_vector", "changed"), ("episode_vector", "changed")}
# Text of these is slow to make.
SENT_AS_BYTES = {"halfvec": SQL("halfvec_send"), "sparsevec": SQL("sparsevec_send")}


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """How many rows there are, and what they come to together, in whatever order."""

    rows: int
    sum: int


async def horizon(connection: Owner) -> int:
    """The oldest transaction that may still write something which is not seen now."""
    row = await first(connection, HORIZON)
    assert row is not None, "a function returns a row"
    return int(row["oldest"])


@asynccontextmanager
async def snapshot(connection: Owner) -> AsyncGenerator[int]:
    """Everything read within is as of one moment; the horizon of that moment."""
    async with connection.transaction(force_rollback=True):
        await connection.execute(b"set transaction isolation level repeatable read read only")
        yield await horizon(connection)


async def take_alone(connection: Owner, tenant: UUID, seconds: float) -> None:
    """Waits until nobody writes for a tenant, and lets nobody begin while the connection lives.
    Raises LockNotAvailable after some seconds."""
    await _take(connection, TAKE_ALONE, tenant, seconds)


async def take_move(connection: Owner, tenant: UUID, seconds: float) -> None:
    """The same for whoever moves a tenant, which nobody else may meanwhile."""
    await _take(connection, TAKE_MOVE, tenant, seconds)


async def _take(connection: Owner, lock: bytes, tenant: UUID, seconds: float) -> None:
    await connection.execute(f"set lock_timeout to {int(seconds * 1_000)}".encode())
    await connection.execute(lock, (str(tenant),))


async def remove(connection: Owner, tenant: UUID, tables: Sequence[Table]) -> int:
    """Removes all that some tables have of a tenant; how many rows."""
    removed = 0
    async with connection.transaction():
        await connection.execute(b"set local session_replication_role to replica")
        for table in tables:
            statement = SQL("delete from {} where tenant_id = {}").format(
                table.sql, Literal(tenant)
            )
            removed += (await connection.execute(statement)).rowcount
    return removed


class TenantCopier:
    """Brings a tenant's rows of one table after another over. Read the source in a snapshot."""

    def __init__(self, source: Owner, target: Owner, tenant: UUID) -> None:
        self._source = source
        self._target = target
        self._tenant = tenant

    async def copy_table(self, table: Table, since: int | None) -> None:
        """Brings everything over, or what was written since a horizon."""
        rows = self._rows(table, since)
        try:
            await self._write(table, rows)
        except UniqueViolation:
            # A row that is gone over here is still in the way over there.
            await self.prune(table)
            await self._write(table, rows)

    async def written(self, tables: Sequence[Table], since: int | None) -> dict[str, int]:
        """How many rows were written since a horizon, or are there at all, by table."""
        return await self._counted(self._source, tables, since)

    async def there(self, tables: Sequence[Table]) -> dict[str, int]:
        """How many rows are over there, by table."""
        return await self._counted(self._target, tables, None)

    async def prune(self, table: Table) -> int:
        """Removes what the source has no longer; how many rows."""
        keys = listed(table.keys)
        selected = SQL("select {} {}").format(keys, self._rows(table, None))
        gone = await _copied(self._target, selected) - await _copied(self._source, selected)
        if gone:
            await self._delete(table, gone)
        return len(gone)

    async def compare(self, table: Table, since: int | None) -> None:
        """Raises Conflict where rows differ that were written since a horizon, or any."""
        here = await _fingerprint(self._source, table, self._rows(table, since))
        if since is None:
            there = await _fingerprint(self._target, table, self._rows(table, None))
        else:
            there = await self._fingerprint_there(table, since)
        if here != there:
            raise Conflict(f"{table.name} differs: {here} here, {there} there")

    async def _fingerprint_there(self, table: Table, since: int) -> Fingerprint:
        """The target's rows of the keys that the source wrote since."""
        keys = listed(table.keys)
        copied = await _copied(
            self._source, SQL("select {} {}").format(keys, self._rows(table, since))
        )
        async with self._target.transaction():
            await self._stage(table, table.keys, copied)
            among = SQL("from {} t where tenant_id = {} and ({}) in (select {} from stage)").format(
                table.sql, Literal(self._tenant), keys, keys
            )
            return await _fingerprint(self._target, table, among)

    async def _write(self, table: Table, rows: Composed) -> None:
        """Adds or replaces rows, by way of a table of this transaction alone."""
        changing = [column for column in table.columns if column not in table.keys]
        updates = SQL(", ").join(
            SQL("{0} = excluded.{0}").format(Identifier(column)) for column in changing
        )
        async with self._target.transaction():
            await self._target.execute(b"set local session_replication_role to replica")
            await self._target.execute(
                SQL("create temp table stage (like {}) on commit drop").format(table.sql)
            )
            out = SQL("copy (select {} {}) to stdout").format(table.sql_columns, rows)
            into = SQL("copy stage ({}) from stdin").format(table.sql_columns)
            async with (
                self._source.cursor() as reading,
                self._target.cursor() as writing,
                reading.copy(out) as read,
                writing.copy(into) as written,
            ):
                async for piece in read:
                    await written.write(piece)
            await self._target.execute(
                SQL(
                    "insert into {} ({}) overriding system value select {} from stage "
                    "on conflict ({}) do {}"
                ).format(
                    table.sql,
                    table.sql_columns,
                    table.sql_columns,
                    listed(table.keys),
                    SQL("update set {}").format(updates) if changing else SQL("nothing"),
                )
            )

    async def _delete(self, table: Table, gone: set[bytes]) -> None:
        async with self._target.transaction():
            await self._target.execute(b"set local session_replication_role to replica")
            await self._stage(table, table.keys, gone)
            keys = listed(table.keys)
            await self._target.execute(
                SQL(
                    "delete from {} where tenant_id = {} and ({}) in (select {} from stage)"
                ).format(table.sql, Literal(self._tenant), keys, keys)
            )

    async def _stage(self, table: Table, columns: Sequence[str], lines: set[bytes]) -> None:
        """A table of this transaction alone with some rows' keys."""
        named = listed(columns)
        await self._target.execute(
            SQL("create temp table stage on commit drop as select {} from {} limit 0").format(
                named, table.sql
            )
        )
        async with (
            self._target.cursor() as cursor,
            cursor.copy(SQL("copy stage ({}) from stdin").format(named)) as copy,
        ):
            await copy.write(b"".join(lines))

    async def _counted(
        self, connection: Owner, tables: Sequence[Table], since: int | None
    ) -> dict[str, int]:
        counted = SQL(" union all ").join(
            SQL("select {} as name, count(*) as count {}").format(
                Literal(table.name), self._rows(table, since)
            )
            for table in tables
        )
        rows = await (await connection.execute(counted)).fetchall()
        return {row["name"]: row["count"] for row in rows}

    def _rows(self, table: Table, since: int | None) -> Composed:
        """The rows of the tenant, or those that were written since a horizon."""
        of_tenant = SQL("from {} t where tenant_id = {}").format(table.sql, Literal(self._tenant))
        if since is None:
            return of_tenant
        # Transactions are numbered around a circle; their age is not.
        oldest = Literal(str(since % XIDS))
        return SQL("{} and age(t.xmin) <= age({}::xid)").format(of_tenant, oldest)


async def _copied(connection: Owner, selected: Composed) -> set[bytes]:
    """Rows as lines of text."""
    lines = set[bytes]()
    async with (
        connection.cursor() as cursor,
        cursor.copy(SQL("copy ({}) to stdout").format(selected)) as copy,
    ):
        async for line in copy:
            lines.add(bytes(line))
    return lines


async def _fingerprint(connection: Owner, table: Table, rows: Composed) -> Fingerprint:
    parts = [
        SQL("coalesce(encode({}({}), 'hex'), '')").format(SENT_AS_BYTES[kind], Identifier(column))
        if kind in SENT_AS_BYTES
        else SQL("coalesce({}::text, '')").format(Identifier(column))
        for column, kind in zip(table.columns, table.types, strict=True)
        if (table.name, column) not in NOT_COMPARED
    ]
    whole = SQL(" || '|' || ").join(parts)
    row = await first(
        connection,
        SQL(
            "select count(*) as rows, coalesce(bit_xor(hashtextextended({}, 0)), 0) as sum {}"
        ).format(whole, rows),
    )
    assert row is not None, "a count returns a row"
    return Fingerprint(row["rows"], row["sum"])
