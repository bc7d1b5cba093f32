"""Copy a tenant's rows to another database while they change.

New rows are found by their transaction id, deleted rows by comparing row counts."""

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
WRITE_LOCK = b"select pg_advisory_lock(hashtextextended(%s, 7323445146))"
MOVE_LOCK = b"select pg_advisory_lock(hashtextextended(%s, 7323445147))"
XIDS = 2**32
# Job numbers and transaction ids, which each cell assigns itself.
NOT_COMPARED = {("turn", "watch_job"), ("memory_vector", "changed"), ("episode_vector", "changed")}
# Types whose text form is slow.
SENT_AS_BYTES = {"halfvec": SQL("halfvec_send"), "sparsevec": SQL("sparsevec_send")}


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The number of rows and an order-independent hash of their content."""

    rows: int
    sum: int


async def horizon(connection: Owner) -> int:
    """Return the oldest transaction that may still write rows not visible now."""
    row = await first(connection, HORIZON)
    assert row is not None, "a function returns a row"
    return int(row["oldest"])


@asynccontextmanager
async def snapshot(connection: Owner) -> AsyncGenerator[int]:
    """Read from one snapshot; yields its horizon."""
    async with connection.transaction(force_rollback=True):
        await connection.execute(b"set transaction isolation level repeatable read read only")
        yield await horizon(connection)


async def take_lock(connection: Owner, lock: bytes, tenant: UUID, seconds: float) -> None:
    """Take a tenant's lock for the life of the connection. Raises LockNotAvailable.

    `WRITE_LOCK` waits for running writes and blocks new ones; `MOVE_LOCK` excludes other moves."""
    await connection.execute(f"set lock_timeout to {int(seconds * 1_000)}".encode())
    await connection.execute(lock, (str(tenant),))


async def remove(connection: Owner, tenant: UUID, tables: Sequence[Table]) -> int:
    """Delete a tenant's rows from tables, and return how many."""
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
    """Copies a tenant's rows table by table. Read the source in a snapshot."""

    def __init__(self, source: Owner, target: Owner, tenant: UUID) -> None:
        self._source = source
        self._target = target
        self._tenant = tenant

    async def copy_table(self, table: Table, since: int | None) -> None:
        """Copy all rows, or those written since a horizon."""
        rows = self._rows(table, since)
        try:
            await self._write(table, rows)
        except UniqueViolation:
            # A row deleted in the source still blocks its successor in the target.
            await self.prune(table)
            await self._write(table, rows)

    async def written(self, tables: Sequence[Table], since: int | None) -> dict[str, int]:
        """Count the rows written since a horizon, or all, by table."""
        return await self._count(self._source, tables, since)

    async def in_target(self, tables: Sequence[Table]) -> dict[str, int]:
        """Count the rows in the target, by table."""
        return await self._count(self._target, tables, None)

    async def prune(self, table: Table) -> int:
        """Delete rows that the source no longer has, and return how many."""
        keys = listed(table.keys)
        selected = SQL("select {} {}").format(keys, self._rows(table, None))
        gone = await _copy_lines(self._target, selected) - await _copy_lines(self._source, selected)
        if gone:
            await self._delete(table, gone)
        return len(gone)

    async def compare(self, table: Table, since: int | None) -> None:
        """Raise Conflict if rows differ that were written since a horizon, or any."""
        source = await _fingerprint(self._source, table, self._rows(table, since))
        if since is None:
            target = await _fingerprint(self._target, table, self._rows(table, None))
        else:
            target = await self._fingerprint_target(table, since)
        if source != target:
            raise Conflict(f"{table.name} differs: {source} in the source, {target} in the target")

    async def _fingerprint_target(self, table: Table, since: int) -> Fingerprint:
        """Return the fingerprint of the target's rows that the source wrote since a horizon."""
        keys = listed(table.keys)
        selected = SQL("select {} {}").format(keys, self._rows(table, since))
        lines = await _copy_lines(self._source, selected)
        async with self._target.transaction():
            await self._stage_keys(table, lines)
            staged = SQL("from {} t where tenant_id = {} and ({}) in (select {} from stage)")
            rows = staged.format(table.sql, Literal(self._tenant), keys, keys)
            return await _fingerprint(self._target, table, rows)

    async def _write(self, table: Table, rows: Composed) -> None:
        """Upsert rows through a temporary table."""
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
                self._source.cursor() as source,
                self._target.cursor() as target,
                source.copy(out) as reader,
                target.copy(into) as writer,
            ):
                async for piece in reader:
                    await writer.write(piece)
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
            await self._stage_keys(table, gone)
            keys = listed(table.keys)
            await self._target.execute(
                SQL(
                    "delete from {} where tenant_id = {} and ({}) in (select {} from stage)"
                ).format(table.sql, Literal(self._tenant), keys, keys)
            )

    async def _stage_keys(self, table: Table, lines: set[bytes]) -> None:
        """Load keys into a temporary table of this transaction."""
        keys = listed(table.keys)
        stage = SQL("create temp table stage on commit drop as select {} from {} limit 0")
        await self._target.execute(stage.format(keys, table.sql))
        async with (
            self._target.cursor() as cursor,
            cursor.copy(SQL("copy stage ({}) from stdin").format(keys)) as copy,
        ):
            await copy.write(b"".join(lines))

    async def _count(
        self, connection: Owner, tables: Sequence[Table], since: int | None
    ) -> dict[str, int]:
        counts = SQL(" union all ").join(
            SQL("select {} as name, count(*) as count {}").format(
                Literal(table.name), self._rows(table, since)
            )
            for table in tables
        )
        rows = await (await connection.execute(counts)).fetchall()
        return {row["name"]: row["count"] for row in rows}

    def _rows(self, table: Table, since: int | None) -> Composed:
        """Return the `from` clause for the tenant's rows, or those written since a horizon."""
        of_tenant = SQL("from {} t where tenant_id = {}").format(table.sql, Literal(self._tenant))
        if since is None:
            return of_tenant
        # Transaction ids wrap around; their age does not.
        oldest = Literal(str(since % XIDS))
        return SQL("{} and age(t.xmin) <= age({}::xid)").format(of_tenant, oldest)


async def _copy_lines(connection: Owner, selected: Composed) -> set[bytes]:
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
