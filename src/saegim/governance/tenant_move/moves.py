"""Move a tenant from one cell to another: copy, catch up, pause, compare, switch, resume.

A move that is killed continues where it was. Until it is confirmed, the tenant can be moved back
with everything written since."""

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
    MOVE_LOCK,
    WRITE_LOCK,
    TenantCopier,
    horizon,
    remove,
    snapshot,
    take_lock,
)
from saegim.jobs.queue import JobQueue
from saegim.jobs.types import Job, JobKind
from saegim.library.jobs import index_lock

# Each cell has its own directory; index changes are replaced by a rebuild.
NOT_COPIED = ("tenant_directory", "tenant_move", "index_change")
FEW_ROWS = 500
MOST_ROUNDS = 10
LOCK_SECONDS = 1.5
LOCK_PAUSE_SECONDS = 1.0
LOCK_TRIES = 20
MOVER_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class MigrationState:
    """The source and target cell of a move, and its progress."""

    tenant: UUID
    origin: str
    to: str
    copied: tuple[str, ...] = ()
    since: int | None = None


@dataclass(frozen=True, slots=True)
class MoveResult:
    """The result of a move; `paused_seconds` is how long writes were blocked."""

    rows: int
    rounds: int
    paused_seconds: float
    jobs: int


@dataclass(frozen=True, slots=True)
class MigrationConnections:
    """Connections to the source, the target and the directory."""

    source: Owner
    target: Owner
    home: Owner


class Moves:
    """Moves tenants with the database owners' logins of the cells, by cell name."""

    def __init__(self, owners: Mapping[str, str], queue: JobQueue, clock: Clock) -> None:
        self._owners = owners
        self._queue = queue
        self._clock = clock

    async def move(self, tenant: UUID, to: str) -> MoveResult:
        """Move a tenant, or continue an interrupted move. Raises Conflict, NotFound."""
        async with owner(self._url(HOME_CELL)) as home:
            try:
                await take_lock(home, MOVE_LOCK, tenant, MOVER_SECONDS)
            except LockNotAvailable as taken:
                raise Conflict("another move of the tenant is in progress") from taken
            return await self._run(await self._begin(home, tenant, to))

    async def _run(self, state: MigrationState) -> MoveResult:
        async with self._connect(state) as db:
            if state.origin == state.to:
                return await self._abandon(db, state)
            tables = await tenant_tables(db.source, but=NOT_COPIED)
            state, copied = await self._copy(db, state, tables)
            state, rounds, caught_up = await self._catch_up(db, state, tables)
            state = await self._compare(db, state, tables)
            paused, jobs, last = await self._switch(db, state, tables)
        return MoveResult(copied + caught_up + last, rounds, paused, jobs)

    async def confirm(self, tenant: UUID) -> int:
        """Delete the tenant from the source cell, and return how many rows; it cannot be undone."""
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
        """Count the tenants of each cell in the directory."""
        async with owner(self._url(HOME_CELL)) as home:
            rows = await fetch_all(home, "count_tenants_by_cell")
        return {row["cell"]: row["tenants"] for row in rows}

    def _url(self, cell: str) -> str:
        if cell not in self._owners:
            raise NotFound(f"cell {cell}")
        return self._owners[cell]

    @asynccontextmanager
    async def _connect(self, state: MigrationState) -> AsyncGenerator[MigrationConnections]:
        async with (
            owner(self._url(state.origin)) as source,
            owner(self._url(state.to)) as target,
            owner(self._url(HOME_CELL)) as home,
        ):
            yield MigrationConnections(source, target, home)

    async def _begin(self, home: Owner, tenant: UUID, to: str) -> MigrationState:
        """Start a move, continue an interrupted one, or move an unconfirmed one back."""
        self._url(to)
        location = await fetch_one(home, "find_cell", tenant=tenant)
        if location is None:
            raise NotFound("tenant")
        move = await fetch_one(home, "find_move", tenant=tenant)
        if move is not None and move["state"] == "copying":
            if move["from_cell"] == to:
                return MigrationState(tenant, to, to)
            if move["to_cell"] != to:
                raise Conflict(f"the tenant is being moved to {move['to_cell']}")
            copied = tuple(move["copied"])
            return MigrationState(tenant, move["from_cell"], to, copied, move["since"])
        if location["cell"] == to:
            raise Conflict(f"the tenant is in {to}")
        state = MigrationState(tenant, location["cell"], to)
        if move is not None:
            if move["from_cell"] != to:
                raise Conflict(f"the move from {move['from_cell']} is not confirmed")
            state = replace(state, copied=tuple(move["copied"]), since=move["since"])
        await execute(
            home,
            "begin_move",
            tenant=tenant,
            from_cell=state.origin,
            to_cell=to,
            copied=list(state.copied),
            since=state.since,
            now=self._clock.now(),
        )
        return state

    async def _abandon(self, db: MigrationConnections, state: MigrationState) -> MoveResult:
        """Undo a move that has not switched."""
        move = await fetch_one(db.home, "find_move", tenant=state.tenant)
        assert move is not None, "the move was just read"
        async with owner(self._url(move["to_cell"])) as target:
            tables = await tenant_tables(target, but=("tenant_directory", "tenant_move"))
            await self._enter(target, state)
            removed = await remove(target, state.tenant, tables)
        # If the switch was interrupted, the source may refuse its own tenant.
        await self._enter(db.source, state)
        await execute(db.home, "end_move", tenant=state.tenant)
        return MoveResult(removed, 0, 0.0, 0)

    async def _copy(
        self, db: MigrationConnections, state: MigrationState, tables: Sequence[Table]
    ) -> tuple[MigrationState, int]:
        """Copy table by table, noting each that is done."""
        copier, copied = TenantCopier(db.source, db.target, state.tenant), 0
        for table in tables:
            if table.name in state.copied:
                continue
            async with snapshot(db.source) as oldest:
                copied += (await copier.written([table], None))[table.name]
                await copier.copy_table(table, None)
            since = oldest if state.since is None else min(state.since, oldest)
            state = replace(state, copied=(*state.copied, table.name), since=since)
            await self._note(db, state)
        return state, copied

    async def _catch_up(
        self, db: MigrationConnections, state: MigrationState, tables: Sequence[Table]
    ) -> tuple[MigrationState, int, int]:
        """Copy what was written meanwhile, until few rows are left."""
        copied, rounds = 0, 0
        while rounds < MOST_ROUNDS:
            rounds += 1
            state, rows = await self._round(db, state, tables)
            copied += rows
            if rows < FEW_ROWS:
                break
        return state, rounds, copied

    async def _round(
        self, db: MigrationConnections, state: MigrationState, tables: Sequence[Table]
    ) -> tuple[MigrationState, int]:
        async with snapshot(db.source) as oldest:
            rows = await _copy_all(db, state, tables)
        state = replace(state, since=oldest)
        await self._note(db, state)
        return state, rows

    async def _compare(
        self, db: MigrationConnections, state: MigrationState, tables: Sequence[Table]
    ) -> MigrationState:
        """Compare all rows in one snapshot while writes go on. Raises Conflict."""
        copier = TenantCopier(db.source, db.target, state.tenant)
        async with snapshot(db.source) as oldest:
            await _copy_all(db, state, tables)
            for table in tables:
                await copier.compare(table, None)
        state = replace(state, since=oldest)
        await self._note(db, state)
        return state

    async def _switch(
        self, db: MigrationConnections, state: MigrationState, tables: Sequence[Table]
    ) -> tuple[float, int, int]:
        """Block writes, copy and compare the last rows, move the jobs, switch the directory."""
        copier = TenantCopier(db.source, db.target, state.tenant)
        compared = state.since
        # One more round first, so that the pause copies as little as possible.
        state, before = await self._round(db, state, tables)
        async with self._block_writes(state) as started:
            async with snapshot(db.source):
                last = await _copy_all(db, state, tables)
                written = await copier.written(tables, compared)
                for table in tables:
                    if written[table.name]:
                        await copier.compare(table, compared)
            async with db.target.transaction():
                jobs = await self._bring_jobs(db, state)
                if state.to != HOME_CELL:
                    await self._enter(db.target, state)
            await self._turn_over(db, state, await horizon(db.target))
            return time.monotonic() - started, jobs, before + last

    async def _turn_over(self, db: MigrationConnections, state: MigrationState, since: int) -> None:
        """Make the source refuse the tenant before the directory points to the target: an
        interruption leaves no cell serving it, but never two."""
        if state.origin != HOME_CELL:
            await self._enter(db.source, state)
        async with db.home.transaction():
            await self._enter(db.home, state)
            now = self._clock.now()
            await execute(db.home, "note_switched", tenant=state.tenant, since=since, now=now)
        await execute(db.source, "drop_jobs_of_tenant", tenant=state.tenant)

    @asynccontextmanager
    async def _block_writes(self, state: MigrationState) -> AsyncGenerator[float]:
        """Block writes in both cells and yield the start time; the target may still have a cached
        location from before. Retries after a pause, so that long writes do not block others."""
        for _ in range(LOCK_TRIES):
            async with AsyncExitStack() as stack:
                connections = [
                    await stack.enter_async_context(owner(self._url(cell)))
                    for cell in (state.to, state.origin)
                ]
                started = time.monotonic()
                try:
                    for connection in connections:
                        await take_lock(connection, WRITE_LOCK, state.tenant, LOCK_SECONDS)
                except LockNotAvailable:
                    await asyncio.sleep(LOCK_PAUSE_SECONDS)
                    continue
                yield started
                return
        raise Conflict("the tenant is too busy to be moved; try again later")

    async def _bring_jobs(self, db: MigrationConnections, state: MigrationState) -> int:
        """Copy the queued jobs; one may run twice, as any job may."""
        tenant, now = state.tenant, self._clock.now()
        await execute(db.target, "drop_jobs_of_tenant", tenant=tenant)
        await execute(db.target, "unwatch_turns", tenant=tenant)
        rows = await fetch_all(db.source, "jobs_of_tenant", tenant=tenant)
        for row in rows:
            due = row["scheduled_at"]
            delay = 0.0 if due is None else (due - now).total_seconds()
            kind, subject = JobKind(row["task_name"]), UUID(row["subject"])
            job = Job(kind, tenant, subject, row["lock"], delay)
            number = await self._queue.defer(db.target, job)
            if row["status"] == "failed":
                await execute(db.target, "set_job_aside", tenant=tenant, job=number)
            elif kind is JobKind.WATCH_TURN:
                watch = {"turn": subject, "watch_job": number}
                await execute(db.target, "watch_moved_turn", tenant=tenant, **watch)
        if await fetch_one(db.source, "index_lags", tenant=tenant):
            rebuild = Job(JobKind.REBUILD_INDEX, tenant, tenant, lock=index_lock(tenant))
            await self._queue.defer(db.target, rebuild)
        return len(rows)

    async def _enter(self, connection: Owner, state: MigrationState) -> None:
        now = self._clock.now()
        await execute(connection, "set_cell", tenant=state.tenant, cell=state.to, now=now)

    async def _note(self, db: MigrationConnections, state: MigrationState) -> None:
        values = {"copied": list(state.copied), "since": state.since}
        await execute(db.home, "note_copied", tenant=state.tenant, **values)


async def _copy_all(
    db: MigrationConnections, state: MigrationState, tables: Sequence[Table]
) -> int:
    """Copy rows written since the last round and delete removed ones; return how many."""
    copier = TenantCopier(db.source, db.target, state.tenant)
    written = await copier.written(tables, state.since)
    for table in tables:
        if written[table.name]:
            await copier.copy_table(table, state.since)
    source, target = await copier.written(tables, None), await copier.in_target(tables)
    pruned = 0
    for table in tables:
        if source[table.name] != target[table.name]:
            pruned += await copier.prune(table)
    if pruned:
        target = await copier.in_target(tables)
    if source != target:
        raise Conflict("the number of rows differs between the cells")
    return sum(written.values()) + pruned
