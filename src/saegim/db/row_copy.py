"""Rows in the binary COPY format of Postgres.

A row starts with its number of fields; each field has its length before it (-1 for null)."""

from collections.abc import AsyncGenerator, AsyncIterable, Iterable, Sequence
from uuid import UUID

from psycopg.sql import SQL, Composed

from saegim.db.tables import Owner, Table

SIGNATURE = b"PGCOPY\n\xff\r\n\0"
HEADER = SIGNATURE + bytes(8)
TRAILER = b"\xff\xff"
PIECE_BYTES = 1 << 20
UUID_BYTES = 16
NOTHING = SQL("").format()


async def read_rows(
    connection: Owner, table: Table, where: Composed = NOTHING
) -> AsyncGenerator[bytes]:
    """Yields the rows of a table, which may be larger than memory."""
    statement = SQL("copy (select {} from {}{}) to stdout (format binary)").format(
        table.sql_columns, table.sql, where
    )
    async with connection.cursor() as cursor, cursor.copy(statement) as rows:
        async for message in rows:
            row = bytes(message)
            # The first message starts with the header.
            if row.startswith(SIGNATURE):
                row = row[len(HEADER) :]
            if row and row != TRAILER:
                yield row


async def in_pieces(rows: AsyncIterable[bytes]) -> AsyncGenerator[tuple[bytes, int]]:
    """Joins rows to pieces of about a megabyte, with their number."""
    buffer, size = list[bytes](), 0
    async for row in rows:
        buffer.append(row)
        size += len(row)
        if size >= PIECE_BYTES:
            yield b"".join(buffer), len(buffer)
            buffer, size = [], 0
    if buffer:
        yield b"".join(buffer), len(buffer)


async def write_rows(connection: Owner, table: Table, pieces: Iterable[bytes]) -> int:
    """Inserts rows into a table; returns their number."""
    statement = SQL("copy {} ({}) from stdin (format binary)").format(table.sql, table.sql_columns)
    async with connection.cursor() as cursor:
        async with cursor.copy(statement) as rows:
            await rows.write(HEADER)
            for piece in pieces:
                await rows.write(piece)
            await rows.write(TRAILER)
        return cursor.rowcount


def with_first(table: Table, columns: Sequence[str]) -> Table:
    """Returns the table with some columns first."""
    rest = [column for column in table.columns if column not in columns]
    return Table(table.name, [*columns, *rest])


def uuid_at(row: bytes, position: int) -> UUID:
    """Returns the value of one of the first columns, all of which are UUIDs."""
    begin = 2 + position * (4 + UUID_BYTES) + 4
    return UUID(bytes=row[begin : begin + UUID_BYTES])


def with_tenant(row: bytes, tenant: UUID) -> bytes:
    """Returns the row with another tenant; the tenant is its first column."""
    begin = 2 + 4
    return row[:begin] + tenant.bytes + row[begin + UUID_BYTES :]


def rows_in(piece: bytes) -> Iterable[bytes]:
    """Splits a piece into its rows."""
    at = 0
    while at < len(piece):
        begin, fields = at, int.from_bytes(piece[at : at + 2])
        at += 2
        for _ in range(fields):
            size = int.from_bytes(piece[at : at + 4], signed=True)
            at += 4 + max(size, 0)
        yield piece[begin:at]
