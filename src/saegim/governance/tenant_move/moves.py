"""Move a tenant from one cell to another: copy, catch up, pause, compare, switch, resume.

A move that is killed continues where it was. Until it is confirmed, the tenant can be moved back
with everything written since."""

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
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


class Moves:
    """Moves tenants with the database owners' logins of the cells, by cell name."""

    def __init__(self, owners: Mapping[str, str], queue: JobQueue, clock: Clock) -> None:
        self._owners = owners
        self._queue = queue
        self._clock = clock

    async def move(self, tenant: UUID, to: str) -> MoveResult:
        """Move a tenant, or continue an interrupted move. Raises Conflict, NotFound."""
        async with self._owner(HOME_CELL) as lock:
            try:
                await take_lock(lock, MOVE_LOCK, tenant, MOVER_SECONDS)
            except LockNotAvailable as taken:
                raise Conflict("another move of the tenant is in progress") from taken
            state = await self._begin(lock, tenant, to)
            async with (
                self._owner(state.origin) as source,
                self._owner(state.to) as target,
                self._owner(HOME_CELL) as home,
            ):
                if state.origin == state.to:
                    return await self._abandon(source, home, state)
                tables = await tenant_tables(source, but=NOT_COPIED)
                move = _Move(
                    state=state,
                    tables=tables,
                    source=source,
                    target=target,
                    home=home,
                    copier=TenantCopier(source, target, tenant),
                    queue=self._queue,
                    clock=self._clock,
                )
                return await self._run(move)

    async def _run(self, move: "_Move") -> MoveResult:
        copied = await move.copy()
        rounds, caught_up = await move.catch_up()
        await move.compare()
        compared = move.state.since
        # One more round first, so that the pause copies as little as possible.
        last = await move.copy_round()
        async with self._block_writes(move.state) as started:
            rows, jobs = await move.switch(compared)
            paused = time.monotonic() - started
        return MoveResult(copied + caught_up + last + rows, rounds, paused, jobs)

    async def confirm(self, tenant: UUID) -> int:
        """Delete the tenant from the source cell, and return how many rows; it cannot be undone."""
        async with self._owner(HOME_CELL) as home:
            move = await fetch_one(home, "find_move", tenant=tenant)
        if move is None or move["state"] != "switched":
            raise Conflict("there is no move to confirm")
        async with self._owner(HOME_CELL) as home, self._owner(move["from_cell"]) as origin:
            tables = await tenant_tables(origin, but=("tenant_directory", "tenant_move"))
            removed = await remove(origin, tenant, tables)
            await execute(origin, "drop_jobs_of_tenant", tenant=tenant)
            await execute(home, "end_move", tenant=tenant)
        return removed

    async def tenants_by_cell(self) -> dict[str, int]:
        """Count the tenants of each cell in the directory."""
        async with self._owner(HOME_CELL) as home:
            rows = await fetch_all(home, "count_tenants_by_cell")
        return {row["cell"]: row["tenants"] for row in rows}

    def _owner(self, cell: str) -> AbstractAsyncContextManager[Owner]:
        if cell not in self._owners:
            raise NotFound(f"cell {cell}")
        return owner(self._owners[cell])

    async def _begin(self, home: Owner, tenant: UUID, to: str) -> MigrationState:
        """Start a move, continue an interrupted one, or move an unconfirmed one back."""
        if to not in self._owners:
            raise NotFound(f"cell {to}")
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

    async def _abandon(self, source: Owner, home: Owner, state: MigrationState) -> MoveResult:
        """Undo a move that has not switched."""
        move = await fetch_one(home, "find_move", tenant=state.tenant)
        assert move is not None, "the move was just read"
        async with self._owner(move["to_cell"]) as target:
            tables = await tenant_tables(target, but=("tenant_directory", "tenant_move"))
            await _enter(target, state, self._clock)
            removed = await remove(target, state.tenant, tables)
        # If the switch was interrupted, the source may refuse its own tenant.
        await _enter(source, state, self._clock)
        await execute(home, "end_move", tenant=state.tenant)
        return MoveResult(removed, 0, 0.0, 0)

    @asynccontextmanager
    async def _block_writes(self, state: MigrationState) -> AsyncGenerator[float]:
        """Block writes in both cells and yield the start time; the target may still have a cached
        location from before. Retries after a pause, so that long writes do not block others."""
        for _ in range(LOCK_TRIES):
            async with self._owner(state.to) as target, self._owner(state.origin) as source:
                started = time.monotonic()
                try:
                    for connection in (target, source):
                        await take_lock(connection, WRITE_LOCK, state.tenant, LOCK_SECONDS)
                except LockNotAvailable:
                    await asyncio.sleep(LOCK_PAUSE_SECONDS)
                    continue
                yield started
                return
        raise Conflict("the tenant is too busy to be moved; try again later")


@dataclass(slots=True, kw_only=True)
class _Move:
    """A running move. `home` is the connection to the directory."""

    state: MigrationState
    tables: Sequence[Table]
    source: Owner
    target: Owner
    home: Owner
    copier: TenantCopier
    queue: JobQueue
    clock: Clock

    async def copy(self) -> int:
        """Copy table by table, noting each that is done; return how many rows."""
        rows = 0
        for table in self.tables:
            if table.name in self.state.copied:
                continue
            async with snapshot(self.source) as oldest:
                rows += (await self.copier.written([table], None))[table.name]
                await self.copier.copy_table(table, None)
            since = oldest if self.state.since is None else min(self.state.since, oldest)
            await self._note(copied=(*self.state.copied, table.name), since=since)
        return rows

    async def catch_up(self) -> tuple[int, int]:
        """Copy what was written meanwhile until few rows are left; return rounds and rows."""
        total = 0
        for rounds in range(1, MOST_ROUNDS + 1):
            total += (rows := await self.copy_round())
            if rows < FEW_ROWS:
                return rounds, total
        return MOST_ROUNDS, total

    async def copy_round(self) -> int:
        async with snapshot(self.source) as oldest:
            rows = await self._copy_changes()
        await self._note(since=oldest)
        return rows

    async def compare(self) -> None:
        """Compare all rows in one snapshot while writes go on. Raises Conflict."""
        async with snapshot(self.source) as oldest:
            await self._copy_changes()
            for table in self.tables:
                await self.copier.compare(table, None)
        await self._note(since=oldest)

    async def switch(self, compared: int | None) -> tuple[int, int]:
        """Copy and compare the last rows, move the jobs, switch the directory; while writes are
        blocked. Returns the number of rows and jobs."""
        async with snapshot(self.source):
            rows = await self._copy_changes()
            written = await self.copier.written(self.tables, compared)
            for table in self.tables:
                if written[table.name]:
                    await self.copier.compare(table, compared)
        async with self.target.transaction():
            jobs = await self._copy_jobs()
            if self.state.to != HOME_CELL:
                await _enter(self.target, self.state, self.clock)
        await self._switch_directory(await horizon(self.target))
        return rows, jobs

    async def _switch_directory(self, since: int) -> None:
        """Make the source refuse the tenant before the directory points to the target: an
        interruption leaves no cell serving it, but never two."""
        tenant = self.state.tenant
        if self.state.origin != HOME_CELL:
            await _enter(self.source, self.state, self.clock)
        async with self.home.transaction():
            await _enter(self.home, self.state, self.clock)
            now = self.clock.now()
            await execute(self.home, "note_switched", tenant=tenant, since=since, now=now)
        await execute(self.source, "drop_jobs_of_tenant", tenant=tenant)

    async def _copy_changes(self) -> int:
        """Copy rows written since the last round and delete removed ones; return how many."""
        copier, tables = self.copier, self.tables
        written = await copier.written(tables, self.state.since)
        for table in tables:
            if written[table.name]:
                await copier.copy_table(table, self.state.since)
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

    async def _copy_jobs(self) -> int:
        """Copy the queued jobs; one may run twice, as any job may."""
        tenant, now = self.state.tenant, self.clock.now()
        await execute(self.target, "drop_jobs_of_tenant", tenant=tenant)
        await execute(self.target, "unwatch_turns", tenant=tenant)
        rows = await fetch_all(self.source, "jobs_of_tenant", tenant=tenant)
        for row in rows:
            due = row["scheduled_at"]
            delay = 0.0 if due is None else (due - now).total_seconds()
            kind, subject = JobKind(row["task_name"]), UUID(row["subject"])
            job = Job(kind, tenant, subject, row["lock"], delay)
            number = await self.queue.defer(self.target, job)
            if row["status"] == "failed":
                await execute(self.target, "set_job_aside", tenant=tenant, job=number)
            elif kind is JobKind.WATCH_TURN:
                watch = {"turn": subject, "watch_job": number}
                await execute(self.target, "watch_moved_turn", tenant=tenant, **watch)
        if await fetch_one(self.source, "index_lags", tenant=tenant):
            rebuild = Job(JobKind.REBUILD_INDEX, tenant, tenant, lock=index_lock(tenant))
            await self.queue.defer(self.target, rebuild)
        return len(rows)

    async def _note(self, *, since: int, copied: tuple[str, ...] | None = None) -> None:
        copied = self.state.copied if copied is None else copied
        self.state = replace(self.state, copied=copied, since=since)
        values = {"copied": list(copied), "since": since}
        await execute(self.home, "note_copied", tenant=self.state.tenant, **values)


async def _enter(connection: Owner, state: MigrationState, clock: Clock) -> None:
    now = clock.now()
    await execute(connection, "set_cell", tenant=state.tenant, cell=state.to, now=now)
