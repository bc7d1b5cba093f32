"""Cells: the Postgres that holds a tenant's data, and tenant transactions."""

import asyncio
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Callable,
    Mapping,
    Sequence,
    Set as AbstractSet,
)
from contextlib import asynccontextmanager, suppress
from dataclasses import fields
from enum import Enum
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints
from uuid import UUID

from psycopg import AsyncConnection, AsyncCursor, DataError, InterfaceError, OperationalError
from psycopg.errors import CharacterNotInRepertoire, UntranslatableCharacter
from psycopg_pool import PoolTimeout, TooManyRequests

from saegim.db.pool import (
    CellLimits,
    CellPool,
    Connect,
    Connection,
    PoolUse,
    query,
    reraise_if_cancelled,
)
from saegim.domain.errors import Invalid, NotFound, StoreUnavailable
from saegim.domain.ids import Clock
from saegim.domain.pending_audit_event import RECORDING, AuditRecording

Row = dict[str, Any]
QueryCall = tuple[str, Mapping[str, object]]
"""The name of a query and its values, without the tenant."""
OUTAGES = (OperationalError, InterfaceError, PoolTimeout, TooManyRequests, TimeoutError)
UNFIT = "the text contains a NUL character"
UNWRITABLE = (UntranslatableCharacter, CharacterNotInRepertoire)

# Both return the cell of the tenant, if known. Writers take a shared advisory lock; a tenant move
# takes it exclusively.
READ_TENANT = b"select begin_tenant_read(%s) as cell"
WRITE_TENANT = b"select begin_tenant_write(%s) as cell"
# Only a transaction that has written has an ID.
HAS_WRITTEN = b"select pg_current_xact_id_if_assigned() is not null as written"
HOME_CELL = "main"


class Cell:
    """A Postgres with many tenants; every transaction belongs to one tenant.

    A transaction of a tenant that was moved away raises StoreUnavailable and calls
    `on_tenant_moved`, so that a retry finds its new cell."""

    def __init__(
        self, name: str, url: str, limits: CellLimits, connect: Connect = AsyncConnection.connect
    ) -> None:
        self.name = name
        self.url = url
        self.on_tenant_moved: Callable[[UUID], None] = _ignore
        self._limits = limits
        self._pool = CellPool(url, limits, connect)

    async def open(self) -> None:
        """Starts connecting in the background; an outage raises on first use."""
        await self._pool.open()

    async def close(self) -> None:
        await self._pool.close()

    def pool(self) -> PoolUse:
        return self._pool.use()

    @property
    def busy(self) -> bool:
        """Whether more requests wait for a connection than there are connections."""
        return self._pool.waiting > self._limits.connections

    @asynccontextmanager
    async def transaction(self, tenant: UUID) -> AsyncGenerator[Connection]:
        """Opens a transaction that reads and writes only rows of `tenant`."""
        try:
            async with asyncio.timeout(self._limits.transaction_seconds):
                connection = await self._begin(tenant)
                try:
                    yield connection
                    recorded = await _join_recording(connection, tenant)
                except BaseException:
                    # Raise the original error, not a failed rollback.
                    with suppress(OperationalError, InterfaceError):
                        await self._end(connection, b"rollback")
                    raise
                try:
                    await self._end(connection, b"commit")
                except BaseException:
                    if recorded is not None:
                        recorded.undo()
                    raise
        except OUTAGES as outage:
            reraise_if_cancelled(outage)
            raise StoreUnavailable from outage
        except DataError as unfit:
            raise _refused(unfit) from unfit

    async def read(self, tenant: UUID, name: str, /, **values: object) -> list[Row]:
        """Runs one named query in its own transaction, in one round trip."""
        [rows] = await self.read_together(tenant, (name, values))
        return rows

    async def read_together(self, tenant: UUID, *queries: QueryCall) -> list[list[Row]]:
        """Runs named queries in one transaction and one round trip."""
        location, *rows = await self._read_with_location(tenant, queries)
        self._ensure_tenant_is_local(tenant, location)
        return rows

    async def place_of(self, tenant: UUID) -> str | None:
        """Returns the cell of a tenant, if this cell knows it."""
        [location] = await self._read_with_location(tenant, ())
        return location[0]["cell"]

    async def _read_with_location(
        self, tenant: UUID, queries: Sequence[QueryCall]
    ) -> list[list[Row]]:
        try:
            async with asyncio.timeout(self._limits.transaction_seconds):
                while True:
                    connection = await self._pool.take()
                    try:
                        return await _read(connection, tenant, queries)
                    except (OperationalError, InterfaceError) as lost:
                        reraise_if_cancelled(lost)
                        # Drop dead connections of the pool and try the next one.
                        if not connection.broken:
                            raise
                    except BaseException:
                        await connection.close()
                        raise
                    finally:
                        await self._pool.put_back(connection)
        except OUTAGES as outage:
            reraise_if_cancelled(outage)
            raise StoreUnavailable from outage
        except DataError as unfit:
            raise _refused(unfit) from unfit

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Connection]:
        """Opens a connection without a tenant: it sees the job queue and no tenant's rows."""
        try:
            connection = await self._pool.take()
            try:
                yield connection
            finally:
                await self._pool.put_back(connection)
        except OUTAGES as outage:
            reraise_if_cancelled(outage)
            raise StoreUnavailable from outage

    async def _begin(self, tenant: UUID) -> Connection:
        """Begins a transaction on a live connection; drops dead ones of the pool."""
        async with asyncio.timeout(self._limits.queue_seconds):
            while True:
                connection = await self._pool.take()
                try:
                    async with asyncio.timeout(self._limits.begin_seconds):
                        self._ensure_tenant_is_local(tenant, await _enter(connection, tenant))
                except BaseException as error:
                    await connection.close()
                    await self._pool.put_back(connection)
                    if not isinstance(error, OperationalError | InterfaceError):
                        raise
                    reraise_if_cancelled(error)
                else:
                    return connection

    def _ensure_tenant_is_local(self, tenant: UUID, location: Sequence[Row]) -> None:
        """Raises StoreUnavailable for a tenant that was moved away."""
        if location[0]["cell"] not in (None, self.name):
            self.on_tenant_moved(tenant)
            raise StoreUnavailable("the tenant was moved")

    async def _end(self, connection: Connection, statement: bytes) -> None:
        try:
            await connection.execute(statement)
        except BaseException:
            await connection.close()
            raise
        finally:
            await self._pool.put_back(connection)


async def _join_recording(connection: Connection, tenant: UUID) -> AuditRecording | None:
    """Stores the pending audit event, if the transaction has written; returns it if stored."""
    recording = RECORDING.get()
    if recording is None or recording.tenant != tenant or not recording.ready:
        return None
    cursor = await connection.execute(HAS_WRITTEN)
    row = await cursor.fetchone()
    if row is None or not row["written"]:
        return None
    try:
        await recording.join(connection)
    except BaseException:
        recording.undo()
        raise
    return recording


class Cells:
    """Finds the cell of a tenant, in the directory of the home cell if there are several."""

    def __init__(self, cells: Mapping[str, Cell], clock: Clock) -> None:
        self._cells = dict(cells)
        self._clock = clock
        self._known: dict[UUID, tuple[str, float]] = {}
        for cell in self._cells.values():
            cell.on_tenant_moved = self.forget

    DIRECTORY_SECONDS = 30.0
    MOST_KNOWN = 10_000

    async def open(self) -> None:
        for cell in self._cells.values():
            await cell.open()

    async def close(self) -> None:
        for cell in self._cells.values():
            await cell.close()

    @property
    def home(self) -> Cell:
        return self._cells[HOME_CELL]

    def pools(self) -> dict[str, PoolUse]:
        return {name: cell.pool() for name, cell in self._cells.items()}

    def any_busy(self) -> bool:
        """Whether more requests wait for a connection of any cell than it has connections."""
        return any(cell.busy for cell in self._cells.values())

    @property
    def all(self) -> Sequence[Cell]:
        return tuple(self._cells.values())

    def named(self, name: str) -> Cell:
        """Returns a cell by name. Raises NotFound."""
        if name not in self._cells:
            raise NotFound(f"cell {name}")
        return self._cells[name]

    def forget(self, tenant: UUID) -> None:
        """Drops the cached cell of a tenant."""
        self._known.pop(tenant, None)

    async def for_tenant(self, tenant: UUID) -> Cell:
        """Returns the cell of a tenant; cached for `DIRECTORY_SECONDS`."""
        if len(self._cells) == 1:
            return self.home
        now = self._clock.now().timestamp()
        known = self._known.get(tenant)
        if known is None or known[1] < now:
            known = (await self._look_up(tenant, known), now + self.DIRECTORY_SECONDS)
            self._known.pop(tenant, None)
            self._known[tenant] = known
            # Anonymous callers can name any tenant: evict the oldest entries.
            while len(self._known) > self.MOST_KNOWN:
                del self._known[next(iter(self._known))]
        return self.named(known[0])

    @asynccontextmanager
    async def transaction(self, tenant: UUID) -> AsyncGenerator[Connection]:
        """Opens a transaction of a tenant on its cell."""
        cell = await self.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            yield connection

    async def read(self, tenant: UUID, name: str, /, **values: object) -> list[Row]:
        """Runs one reading query in its own transaction, in one round trip."""
        return await (await self.for_tenant(tenant)).read(tenant, name, **values)

    async def read_one(self, tenant: UUID, name: str, /, **values: object) -> Row | None:
        """Does as `read` and returns the first row."""
        rows = await self.read(tenant, name, **values)
        return rows[0] if rows else None

    async def fetch_one(self, tenant: UUID, name: str, /, **values: object) -> Row | None:
        """Runs a named query in its own transaction and returns its first row."""
        async with self.transaction(tenant) as connection:
            return await fetch_one(connection, name, tenant=tenant, **values)

    async def fetch_all(self, tenant: UUID, name: str, /, **values: object) -> list[Row]:
        """Runs a named query in its own transaction and returns its rows."""
        async with self.transaction(tenant) as connection:
            return await fetch_all(connection, name, tenant=tenant, **values)

    async def run_query(self, tenant: UUID, name: str, /, **values: object) -> int:
        """Runs a named query in its own transaction and returns the number of affected rows."""
        async with self.transaction(tenant) as connection:
            return await execute(connection, name, tenant=tenant, **values)

    async def name_for_tenant(self, tenant: UUID) -> str:
        return (await self.for_tenant(tenant)).name

    async def _look_up(self, tenant: UUID, known: tuple[str, float] | None) -> str:
        """Asks the directory; uses the cached cell during an outage."""
        try:
            return await self.home.place_of(tenant) or HOME_CELL
        except StoreUnavailable:
            if known is None:
                raise
            return known[0]


def _refused(unfit: DataError) -> Exception:
    """Returns Invalid for text that Postgres cannot store; other data errors are bugs."""
    unwritable = unfit.sqlstate is None or isinstance(unfit, UNWRITABLE)
    return Invalid(UNFIT) if unwritable else unfit


def _ignore(tenant: UUID) -> None:
    """Default of `on_tenant_moved`."""


async def _enter(connection: Connection, tenant: UUID) -> list[Row]:
    """Begins a tenant transaction in one round trip; returns the location of the tenant."""
    async with connection.pipeline():
        await connection.execute(b"begin")
        location = await connection.execute(WRITE_TENANT, (tenant,))
    return await location.fetchall()


async def _read(
    connection: Connection, tenant: UUID, queries: Sequence[QueryCall]
) -> list[list[Row]]:
    """Returns the location of the tenant, then the rows of each query. A pipeline is one
    transaction."""
    async with connection.pipeline():
        location = await connection.execute(READ_TENANT, (tenant,))
        cursors = [
            await connection.execute(query(name), {"tenant": tenant, **values})
            for name, values in queries
        ]
    return [await cursor.fetchall() for cursor in (location, *cursors)]


async def ask(connection: Connection, name: str, /, **values: object) -> AsyncCursor[Row]:
    """Runs a named query and returns its cursor, to fetch after the pipeline was sent."""
    return await connection.execute(query(name), values)


async def fetch_one(connection: Connection, name: str, /, **values: object) -> Row | None:
    """Returns the first row of a named query."""
    cursor = await connection.execute(query(name), values)
    return await cursor.fetchone()


async def fetch_all(connection: Connection, name: str, /, **values: object) -> list[Row]:
    """Returns all rows of a named query."""
    cursor = await connection.execute(query(name), values)
    return await cursor.fetchall()


async def fetch_slices(
    connection: Connection, name: str, most: int, /, **values: object
) -> AsyncIterator[list[Row]]:
    """Yields the rows of a named query in batches, so that the event loop is not blocked."""
    async with connection.cursor(name) as cursor:
        await cursor.execute(query(name), values)
        while rows := await cursor.fetchmany(most):
            yield rows


async def execute(connection: Connection, name: str, /, **values: object) -> int:
    """Runs a named query and returns the number of affected rows."""
    return (await connection.execute(query(name), values)).rowcount


def from_row[T](kind: type[T], row: Row, **given: object) -> T:
    """Builds a dataclass from a row. A field that is not given takes the column of its name, or of
    its name and `_id`; enums, sets and tuples are converted."""
    values = dict(given)
    for name, convert in _converters(kind).items():
        column = name if name in row else f"{name}_id"
        if name not in values and column in row:
            values[name] = None if row[column] is None else convert(row[column])
    return kind(**values)


@cache
def _converters(kind: type[Any]) -> dict[str, Callable[[Any], Any]]:
    hints = get_type_hints(kind)
    return {each.name: _converter(hints[each.name]) for each in fields(kind)}


def _converter(hint: Any) -> Callable[[Any], Any]:
    for each in (hint, *get_args(hint)):
        if isinstance(each, type) and issubclass(each, Enum):
            return each
        if get_origin(each) is AbstractSet:
            item: Callable[[Any], Any] = get_args(each)[0]
            return lambda values: frozenset[Any](map(item, values))
        if get_origin(each) is tuple:
            return tuple
    return lambda value: value
