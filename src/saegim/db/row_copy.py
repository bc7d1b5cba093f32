"""Rows of a table as Postgres' binary COPY has them: half the size of text, and nothing to parse.

A row begins with its number of fields; each field has its length before it (-1 for null)."""

from collections.abc import AsyncGenerator, AsyncIterable, Iterable, Sequence
from uuid import UUID

from psycopg.sql import SQL, Composed

from saegim.db.tables import Owner, Table, first

SIGNATURE = b"PGCOPY\n\xff\r\n\0"
HEADER = SIGNATURE + bytes(8)
TRAILER = b"\xff\xff"
PIECE_BYTES = 1 << 20
UUID_BYTES = 16
NOTHING = SQL("").format()


async def count_rows(connection: Owner, table: Table, where: Composed = NOTHING) -> int:
    row = await first(connection, SQL("select count(*) as rows from {}{}").format(table.sql, where))
    assert row is not None, "a count returns a row"
    return row["rows"]


async def read_rows(
    connection: Owner, table: Table, where: Composed = NOTHING
) -> AsyncGenerator[bytes]:
    """A table's rows as they come: a table may be larger than memory."""
    statement = SQL("copy (select {} from {}{}) to stdout (format binary)").format(
        table.sql_columns, table.sql, where
    )
    async with connection.cursor() as cursor, cursor.copy(statement) as rows:
        async for message in rows:
            row = bytes(message)
            # The first message has the header before its row.
            if row.startswith(SIGNATURE):
                row = row[len(HEADER) :]
            if row and row != TRAILER:
                yield row


async def in_pieces(rows: AsyncIterable[bytes]) -> AsyncGenerator[tuple[bytes, int]]:
    """Rows put together to about a megabyte, with their number."""
    gathered, size = list[bytes](), 0
    async for row in rows:
        gathered.append(row)
        size += len(row)
        if size >= PIECE_BYTES:
            yield b"".join(gathered), len(gathered)
            gathered, size = [], 0
    if gathered:
        yield b"".join(gathered), len(gathered)


async def write_rows(connection: Owner, table: Table, pieces: Iterable[bytes]) -> int:
    """Adds rows to a table; how many there were."""
    statement = SQL("copy {} ({}) from stdin (format binary)").format(table.sql, table.sql_columns)
    async with connection.cursor() as cursor:
        async with cursor.copy(statement) as rows:
            await rows.write(HEADER)
            for piece in pieces:
                await rows.write(piece)
            await rows.write(TRAILER)
        return cursor.rowcount


def with_first(table: Table, columns: Sequence[str]) -> Table:
    """The table with some columns before the others."""
    rest = [column for column in table.columns if column not in columns]
    return Table(table.name, [*columns, *rest])


def uuid_at(row: bytes, position: int) -> UUID:
    """The value of one of a row's first columns, all of which are uuids."""
    begin = 2 + position * (4 + UUID_BYTES) + 4
    return UUID(bytes=row[begin : begin + UUID_BYTES])


def with_tenant(row: bytes, tenant: UUID) -> bytes:
    """A row of another tenant, where the tenant is its first column."""
    begin = 2 + 4
    return row[:begin] + tenant.bytes + row[begin + UUID_BYTES :]


def rows_in(piece: bytes) -> Iterable[bytes]:
    """The rows that were put together to a piece."""
    at = 0
    while at < len(piece):
        begin, fields = at, int.from_bytes(piece[at : at + 2])
        at += 2
        for _ in range(fields):
            size = int.from_bytes(piece[at : at + 4], signed=True)
            at += 4 + max(size, 0)
        yield piece[begin:at]
