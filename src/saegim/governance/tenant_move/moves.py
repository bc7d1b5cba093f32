"""A tenant moves from one cell to another: copy, catch up, pause, compare, switch, resume.

It can be killed at any moment and goes on where it was; until it is confirmed the tenant can be
moved back, with all that was written since."""

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from uuid import UUID

from psycopg.errors import LockNotAvailable

from saegim.db.cells import HOME_CELL, execute, fetch_all, fetch_one
from saegim.db.tables import Owner, Table, owner, tenant_tables
from saegim.domain.errors import Conflict, NotFound
from saegim.domain.ids import Clock
from saegim.governance.tenant_move.copier import (
    TenantCopier,
    horizon,
    remove,
    snapshot,
    take_alone,
    take_move,
)
from saegim.jobs.queue import JobQueue
from saegim.jobs.types import Job, JobKind
from saegim.library.jobs import index_lock

# The directory is each cell's own, and changes of the search index are made good by a rebuild.
STAYING = ("tenant_directory", "tenant_move", "index_change")
FEW_ROWS = 500
MOST_ROUNDS = 10
LOCK_SECONDS = 1.5
LOCK_PAUSE_SECONDS = 1.0
LOCK_TRIES = 20
MOVER_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class MigrationState:
    """Where a tenant comes from, where it goes, and how far it is."""

    tenant: UUID
    origin: str
    to: str
    copied: tuple[str, ...] = ()
    since: int | None = None


@dataclass(frozen=True, slots=True)
class MoveResult:
    """What a move came to; `paused_seconds` is for how long nothing could be written."""

    rows: int
    rounds: int
    paused_seconds: float
    jobs: int


@dataclass(frozen=True, slots=True)
class MigrationConnections:
    """Connections to where a tenant comes from, where it goes, and the directory."""

    source: Owner
    target: Owner
    home: Owner


class Moves:
    """Works with the owners' logins of the cells, by their names."""

    def __init__(self, owners: Mapping[str, str], queue: JobQueue, clock: Clock) -> None:
        self._owners = owners
        self._queue = queue
        self._clock = clock

    async def move(self, tenant: UUID, to: str) -> MoveResult:
        """Moves a tenant, or goes on with a move that was cut off. Raises Conflict, NotFound."""
        async with owner(self._url(HOME_CELL)) as home, self._only_mover(home, tenant):
            way = await self._begin(home, tenant, to)
            return await self._go(way)

    async def _go(self, way: MigrationState) -> MoveResult:
        async with self._ends(way) as ends:
            if way.origin == way.to:
                return await self._abandon(ends, way)
            tables = await tenant_tables(ends.source, but=STAYING)
            way, copied = await self._copy(ends, way, tables)
            way, rounds, caught_up = await self._catch_up(ends, way, tables)
            way = await self._compare(ends, way, tables)
            paused, jobs, last = await self._switch(ends, way, tables)
        return MoveResult(copied + caught_up + last, rounds, paused, jobs)

    async def confirm(self, tenant: UUID) -> int:
        """Removes what the cell of origin still has; there is no way back. How many rows."""
        async with owner(self._url(HOME_CELL)) as home:
            move = await fetch_one(home, "find_move", tenant=tenant)
        if move is None or move["state"] != "switched":
            raise Conflict("there is no move to confirm")
        async with (
            owner(self._url(HOME_CELL)) as home,
            owner(self._url(move["from_cell"])) as origin,
        ):
            tables = await tenant_tables(origin, but=("tenant_directory", "tenant_move"))
            removed = await remove(origin, tenant, tables)
            await execute(origin, "drop_jobs_of_tenant", tenant=tenant)
            await execute(home, "end_move", tenant=tenant)
        return removed

    async def tenants_by_cell(self) -> dict[str, int]:
        """How many tenants the directory has in each cell."""
        async with owner(self._url(HOME_CELL)) as home:
            rows = await fetch_all(home, "count_tenants_by_cell")
        return {row["cell"]: row["tenants"] for row in rows}

    def _url(self, cell: str) -> str:
        if cell not in self._owners:
            raise NotFound(f"cell {cell}")
        return self._owners[cell]

    @asynccontextmanager
    async def _only_mover(self, home: Owner, tenant: UUID) -> AsyncGenerator[None]:
        """Two moves of a tenant at a time would undo each other. Raises Conflict."""
        try:
            await take_move(home, tenant, MOVER_SECONDS)
        except LockNotAvailable as taken:
            raise Conflict("another move of the tenant is in progress") from taken
        yield

    @asynccontextmanager
    async def _ends(self, way: MigrationState) -> AsyncGenerator[MigrationConnections]:
        async with (
            owner(self._url(way.origin)) as source,
            owner(self._url(way.to)) as target,
            owner(self._url(HOME_CELL)) as home,
        ):
            yield MigrationConnections(source, target, home)

    async def _begin(self, home: Owner, tenant: UUID, to: str) -> MigrationState:
        """A new move, one that was cut off, or the way back of one that is not confirmed."""
        self._url(to)
        place = await fetch_one(home, "find_cell", tenant=tenant)
        if place is None:
            raise NotFound("tenant")
        move = await fetch_one(home, "find_move", tenant=tenant)
        if move is not None and move["state"] == "copying":
            if move["from_cell"] == to:
                return MigrationState(tenant, to, to)
            if move["to_cell"] != to:
                raise Conflict(f"the tenant is on its way to {move['to_cell']}")
            copied = tuple(move["copied"])
            return MigrationState(tenant, move["from_cell"], to, copied, move["since"])
        if place["cell"] == to:
            raise Conflict(f"the tenant is in {to}")
        way = MigrationState(tenant, place["cell"], to)
        if move is not None:
            if move["from_cell"] != to:
                raise Conflict(f"the move from {move['from_cell']} is not confirmed")
            way = replace(way, copied=tuple(move["copied"]), since=move["since"])
        await execute(
            home,
            "begin_move",
            tenant=tenant,
            from_cell=way.origin,
            to_cell=to,
            copied=list(way.copied),
            since=way.since,
            now=self._clock.now(),
        )
        return way

    async def _abandon(self, ends: MigrationConnections, way: MigrationState) -> MoveResult:
        """A move that never switched leaves nothing where it went."""
        move = await fetch_one(ends.home, "find_move", tenant=way.tenant)
        assert move is not None, "it was there a moment ago"
        async with owner(self._url(move["to_cell"])) as there:
            tables = await tenant_tables(there, but=("tenant_directory", "tenant_move"))
            await self._enter(there, way)
            removed = await remove(there, way.tenant, tables)
        # Cut off in the middle of the switch, the old cell may refuse its own tenant.
        await self._enter(ends.source, way)
        await execute(ends.home, "end_move", tenant=way.tenant)
        return MoveResult(removed, 0, 0.0, 0)

    async def _copy(
        self, ends: MigrationConnections, way: MigrationState, tables: Sequence[Table]
    ) -> tuple[MigrationState, int]:
        """Table by table, each noted when it is over there."""
        carrier, copied = TenantCopier(ends.source, ends.target, way.tenant), 0
        for table in tables:
            if table.name in way.copied:
                continue
            async with snapshot(ends.source) as oldest:
                copied += (await carrier.written([table], None))[table.name]
                await carrier.copy_table(table, None)
            since = oldest if way.since is None else min(way.since, oldest)
            way = replace(way, copied=(*way.copied, table.name), since=since)
            await self._note(ends, way)
        return way, copied

    async def _catch_up(
        self, ends: MigrationConnections, way: MigrationState, tables: Sequence[Table]
    ) -> tuple[MigrationState, int, int]:
        """Brings over what was written meanwhile, until there is little of it."""
        carried, rounds = 0, 0
        while rounds < MOST_ROUNDS:
            rounds += 1
            way, rows = await self._round(ends, way, tables)
            carried += rows
            if rows < FEW_ROWS:
                break
        return way, rounds, carried

    async def _round(
        self, ends: MigrationConnections, way: MigrationState, tables: Sequence[Table]
    ) -> tuple[MigrationState, int]:
        async with snapshot(ends.source) as oldest:
            rows = await _copy_all(ends, way, tables)
        way = replace(way, since=oldest)
        await self._note(ends, way)
        return way, rows

    async def _compare(
        self, ends: MigrationConnections, way: MigrationState, tables: Sequence[Table]
    ) -> MigrationState:
        """Everything, as of one moment, while writing goes on. Raises Conflict."""
        carrier = TenantCopier(ends.source, ends.target, way.tenant)
        async with snapshot(ends.source) as oldest:
            await _copy_all(ends, way, tables)
            for table in tables:
                await carrier.compare(table, None)
        way = replace(way, since=oldest)
        await self._note(ends, way)
        return way

    async def _switch(
        self, ends: MigrationConnections, way: MigrationState, tables: Sequence[Table]
    ) -> tuple[float, int, int]:
        """Nobody writes: the last rows, compared; jobs; the directory. Then all go on."""
        carrier = TenantCopier(ends.source, ends.target, way.tenant)
        compared = way.since
        # The pause is for what is written from here on.
        way, before = await self._round(ends, way, tables)
        async with self._alone(way) as began:
            async with snapshot(ends.source):
                last = await _copy_all(ends, way, tables)
                written = await carrier.written(tables, compared)
                for table in tables:
                    if written[table.name]:
                        await carrier.compare(table, compared)
            async with ends.target.transaction():
                jobs = await self._bring_jobs(ends, way)
                if way.to != HOME_CELL:
                    await self._enter(ends.target, way)
            await self._turn_over(ends, way, await horizon(ends.target))
            return time.monotonic() - began, jobs, before + last

    async def _turn_over(self, ends: MigrationConnections, way: MigrationState, since: int) -> None:
        """The old cell refuses before the directory points elsewhere: cut off in between, nobody
        serves the tenant until the move goes on, but never two."""
        if way.origin != HOME_CELL:
            await self._enter(ends.source, way)
        async with ends.home.transaction():
            await self._enter(ends.home, way)
            now = self._clock.now()
            await execute(ends.home, "note_switched", tenant=way.tenant, since=since, now=now)
        await execute(ends.source, "drop_jobs_of_tenant", tenant=way.tenant)

    @asynccontextmanager
    async def _alone(self, way: MigrationState) -> AsyncGenerator[float]:
        """Waits for those who write, keeps others from it, and tells since when; over there too,
        where somebody may remember the tenant from before. Where somebody writes for long the
        others go first, and it is tried again. The locks end with us."""
        for _ in range(LOCK_TRIES):
            async with AsyncExitStack() as stack:
                gates = [
                    await stack.enter_async_context(owner(self._url(cell)))
                    for cell in (way.to, way.origin)
                ]
                began = time.monotonic()
                try:
                    for gate in gates:
                        await take_alone(gate, way.tenant, LOCK_SECONDS)
                except LockNotAvailable:
                    await asyncio.sleep(LOCK_PAUSE_SECONDS)
                    continue
                yield began
                return
        raise Conflict("the tenant is too busy to be moved; try again later")

    async def _bring_jobs(self, ends: MigrationConnections, way: MigrationState) -> int:
        """What is in line over here, in line over there. It may run twice, as any job may."""
        tenant, now = way.tenant, self._clock.now()
        await execute(ends.target, "drop_jobs_of_tenant", tenant=tenant)
        await execute(ends.target, "unwatch_turns", tenant=tenant)
        rows = await fetch_all(ends.source, "jobs_of_tenant", tenant=tenant)
        for row in rows:
            due = row["scheduled_at"]
            delay = 0.0 if due is None else (due - now).total_seconds()
            kind, subject = JobKind(row["task_name"]), UUID(row["subject"])
            job = Job(kind, tenant, subject, row["lock"], delay)
            number = await self._queue.defer(ends.target, job)
            if row["status"] == "failed":
                await execute(ends.target, "set_job_aside", tenant=tenant, job=number)
            elif kind is JobKind.WATCH_TURN:
                watch = {"turn": subject, "watch_job": number}
                await execute(ends.target, "watch_moved_turn", tenant=tenant, **watch)
        if await fetch_one(ends.source, "index_lags", tenant=tenant):
            rebuild = Job(JobKind.REBUILD_INDEX, tenant, tenant, lock=index_lock(tenant))
            await self._queue.defer(ends.target, rebuild)
        return len(rows)

    async def _enter(self, connection: Owner, way: MigrationState) -> None:
        now = self._clock.now()
        await execute(connection, "set_cell", tenant=way.tenant, cell=way.to, now=now)

    async def _note(self, ends: MigrationConnections, way: MigrationState) -> None:
        values = {"copied": list(way.copied), "since": way.since}
        await execute(ends.home, "note_copied", tenant=way.tenant, **values)


async def _copy_all(
    ends: MigrationConnections, way: MigrationState, tables: Sequence[Table]
) -> int:
    """What was written since the last time, and what was removed; how many rows."""
    carrier = TenantCopier(ends.source, ends.target, way.tenant)
    written = await carrier.written(tables, way.since)
    for table in tables:
        if written[table.name]:
            await carrier.copy_table(table, way.since)
    here, there = await carrier.written(tables, None), await carrier.there(tables)
    pruned = 0
    for table in tables:
        if here[table.name] != there[table.name]:
            pruned += await carrier.prune(table)
    if pruned:
        there = await carrier.there(tables)
    if here != there:
        raise Conflict("the number of rows differs between the cells")
    return sum(written.values()) + pruned
