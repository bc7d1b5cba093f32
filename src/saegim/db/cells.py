"""Cells: where a tenant's data lives, and the only way to reach it."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any
from uuid import UUID

from psycopg import AsyncCursor, DataError, InterfaceError, OperationalError
from psycopg.errors import CharacterNotInRepertoire, UntranslatableCharacter
from psycopg_pool import PoolTimeout, TooManyRequests

from saegim.db.cancellation import reraise_if_cancelled
from saegim.db.pool import CellLimits, CellPool, Connection, PoolUse, query
from saegim.domain.errors import Invalid, NotFound, StoreUnavailable
from saegim.domain.ids import Clock
from saegim.domain.pending_audit_event import RECORDING, AuditRecording

Row = dict[str, Any]
QueryCall = tuple[str, Mapping[str, object]]
"""The name of a query, and its values but for the tenant."""
OUTAGES = (OperationalError, InterfaceError, PoolTimeout, TooManyRequests, TimeoutError)
# A NUL character: whoever sent it can mend it, trying again cannot.
UNFIT = "it holds what cannot be stored"
UNWRITABLE = (UntranslatableCharacter, CharacterNotInRepertoire)

# Enters a tenant's transaction; the row tells the cell that the tenant is in, as far as is known.
# One that may write shares a lock: whoever moves the tenant takes it alone, waits for writers, and
# they wait for it.
READ_TENANT = b"select begin_tenant_read(%s) as cell"
WRITE_TENANT = b"select begin_tenant_write(%s) as cell"
# Only a transaction that changes something has a number.
HAS_WRITTEN = b"select pg_current_xact_id_if_assigned() is not null as written"
HOME_CELL = "main"


class Cell:
    """One Postgres that holds many tenants; every transaction belongs to one of them.

    A tenant that was moved away is neither read nor written here, whatever a process remembers of
    where it is: `on_tenant_moved` is told, and a second try finds it there."""

    def __init__(self, name: str, url: str, limits: CellLimits) -> None:
        self.name = name
        self.url = url
        self.on_tenant_moved: Callable[[UUID], None] = _ignore
        self._limits = limits
        self._pool = CellPool(url, limits)

    async def open(self) -> None:
        """Starts connecting in the background; a database that is down is met on first use."""
        await self._pool.open()

    async def close(self) -> None:
        await self._pool.close()

    def pool(self) -> PoolUse:
        """How its connections are used, right now."""
        return self._pool.use()

    @property
    def busy(self) -> bool:
        """Whether more requests wait for a connection than there are connections."""
        return self._pool.waiting > self._limits.connections

    @asynccontextmanager
    async def transaction(self, tenant: UUID) -> AsyncGenerator[Connection]:
        """A transaction that sees and writes the rows of `tenant` alone."""
        try:
            async with asyncio.timeout(self._limits.transaction_seconds):
                connection = await self._begin(tenant)
                try:
                    yield connection
                    recorded = await _join_recording(connection, tenant)
                except BaseException:
                    # What went wrong is told, and not that a lost connection cannot roll back.
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
        """The rows of one named query in a transaction of its own, in one round trip."""
        [rows] = await self.read_together(tenant, (name, values))
        return rows

    async def read_together(self, tenant: UUID, *queries: QueryCall) -> list[list[Row]]:
        """The rows of each of some named queries, in one transaction and one round trip."""
        place, *rows = await self._read_with_location(tenant, queries)
        self._ensure_tenant_is_local(tenant, place)
        return rows

    async def place_of(self, tenant: UUID) -> str | None:
        """The cell where a tenant is, as far as this one knows."""
        [place] = await self._read_with_location(tenant, ())
        return place[0]["cell"]

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
                        # One that died in the pool is dropped; a server that is gone is met by
                        # the next check-out.
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
        """A connection with no tenant: it reaches the job queue and no tenant's rows."""
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
        """Begins on a live connection; ones that died in the pool are dropped on the way."""
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

    def _ensure_tenant_is_local(self, tenant: UUID, place: Sequence[Row]) -> None:
        """Raises StoreUnavailable for a tenant that was moved away."""
        if place[0]["cell"] not in (None, self.name):
            self.on_tenant_moved(tenant)
            raise StoreUnavailable("the tenant was moved")

    async def _end(self, connection: Connection, how: bytes) -> None:
        try:
            await connection.execute(how)
        except BaseException:
            await connection.close()
            raise
        finally:
            await self._pool.put_back(connection)


async def _join_recording(connection: Connection, tenant: UUID) -> AuditRecording | None:
    """Adds the audit event of the change at hand to the transaction that makes it: one that has
    written. Returns it where it joined."""
    recording = RECORDING.get()
    if recording is None or recording.tenant != tenant or not recording.ready:
        return None
    found = await connection.execute(HAS_WRITTEN)
    row = await found.fetchone()
    if row is None or not row["written"]:
        return None
    try:
        await recording.join(connection)
    except BaseException:
        recording.undo()
        raise
    return recording


class Cells:
    """Finds the cell of a tenant. One cell needs no directory; several share the home cell's."""

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
        """How the connections to each cell are used."""
        return {name: cell.pool() for name, cell in self._cells.items()}

    def any_busy(self) -> bool:
        """Whether requests wait for a connection to any cell, more than it has connections."""
        return any(cell.busy for cell in self._cells.values())

    @property
    def all(self) -> Sequence[Cell]:
        return tuple(self._cells.values())

    def named(self, name: str) -> Cell:
        """A cell by its name. Raises NotFound."""
        if name not in self._cells:
            raise NotFound(f"cell {name}")
        return self._cells[name]

    def forget(self, tenant: UUID) -> None:
        """The directory is asked again where a tenant is."""
        self._known.pop(tenant, None)

    async def for_tenant(self, tenant: UUID) -> Cell:
        """The cell that holds `tenant`; every access to its data starts here."""
        if len(self._cells) == 1:
            return self.home
        now = self._clock.now().timestamp()
        known = self._known.get(tenant)
        if known is None or known[1] < now:
            known = (await self._look_up(tenant, known), now + self.DIRECTORY_SECONDS)
            self._known.pop(tenant, None)
            self._known[tenant] = known
            # Anonymous callers name tenants at will: the oldest answers go.
            while len(self._known) > self.MOST_KNOWN:
                del self._known[next(iter(self._known))]
        return self.named(known[0])

    @asynccontextmanager
    async def transaction(self, tenant: UUID) -> AsyncGenerator[Connection]:
        """Open a transaction in the cell of the tenant."""
        cell = await self.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            yield connection

    async def name_for_tenant(self, tenant: UUID) -> str:
        """The name of the cell that holds `tenant`."""
        return (await self.for_tenant(tenant)).name

    async def _look_up(self, tenant: UUID, known: tuple[str, float] | None) -> str:
        """Where the directory says; while it does not answer, where the tenant was last."""
        try:
            return await self.home.place_of(tenant) or HOME_CELL
        except StoreUnavailable:
            if known is None:
                raise
            return known[0]


def _refused(unfit: DataError) -> Exception:
    """A character that no text may hold is its sender's fault; what else the server finds wrong
    with a value is ours."""
    unwritable = unfit.sqlstate is None or isinstance(unfit, UNWRITABLE)
    return Invalid(UNFIT) if unwritable else unfit


def _ignore(tenant: UUID) -> None:
    """Nobody remembers where tenants are."""


async def _enter(connection: Connection, tenant: UUID) -> list[Row]:
    """Begins a tenant's transaction, in one round trip; what the cell knows of its place."""
    async with connection.pipeline():
        await connection.execute(b"begin")
        place = await connection.execute(WRITE_TENANT, (tenant,))
    return await place.fetchall()


async def _read(
    connection: Connection, tenant: UUID, queries: Sequence[QueryCall]
) -> list[list[Row]]:
    """What the cell knows of the tenant's place, then the rows of each query. What is sent in one
    pipeline is one transaction."""
    async with connection.pipeline():
        place = await connection.execute(READ_TENANT, (tenant,))
        cursors = [
            await connection.execute(query(name), {"tenant": tenant, **values})
            for name, values in queries
        ]
    return [await cursor.fetchall() for cursor in (place, *cursors)]


async def ask(connection: Connection, name: str, /, **values: object) -> AsyncCursor[Row]:
    """A named query whose rows are fetched later: in a pipeline, after what follows it was sent."""
    return await connection.execute(query(name), values)


async def fetch_one(connection: Connection, name: str, /, **values: object) -> Row | None:
    """The first row of a named query."""
    cursor = await connection.execute(query(name), values)
    return await cursor.fetchone()


async def fetch_all(connection: Connection, name: str, /, **values: object) -> list[Row]:
    """All rows of a named query."""
    cursor = await connection.execute(query(name), values)
    return await cursor.fetchall()


async def fetch_slices(
    connection: Connection, name: str, most: int, /, **values: object
) -> AsyncIterator[list[Row]]:
    """The rows of a named query, so many at once: reading them does not hold up the loop."""
    async with connection.cursor(name) as cursor:
        await cursor.execute(query(name), values)
        while rows := await cursor.fetchmany(most):
            yield rows


async def execute(connection: Connection, name: str, /, **values: object) -> int:
    """Runs a named query and tells how many rows it touched."""
    return (await connection.execute(query(name), values)).rowcount
