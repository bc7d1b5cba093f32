"""Erase a user from every store, driven by the list of personal tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import batched
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from saegim.audit.repository import AuditWriter
from saegim.audit.types import AuditAction
from saegim.conversations.state_cache import Keys, stream_key
from saegim.db.cells import Cells, Connection, Row, execute, fetch_all, fetch_one, from_row
from saegim.db.redis_client import RedisClient
from saegim.domain.errors import NotFound
from saegim.domain.ids import LAST_ID, SystemClock, made_at, new_id
from saegim.domain.scope import Caller
from saegim.encryption.cipher import FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.encryption.rotation import KeyRotation
from saegim.governance.erasure.types import Erasure, ErasureRequest, ErasureState
from saegim.governance.personal_data import PERSONAL
from saegim.jobs.queue import JobQueue, exclusive_job
from saegim.jobs.types import Job, JobKind
from saegim.library.jobs import index_lock, queue_index_changes
from saegim.quotas.counters import reservation_key
from saegim.webhooks.outbox import Outbox, WebhookEvent

BATCH = 100


async def delete_cached(
    redis: RedisClient, tenant: UUID, sessions: Sequence[UUID], turns: Sequence[UUID]
) -> dict[str, int]:
    """Delete the keys of these sessions and turns, and count them. Raises OptionalServiceDown."""
    keys = {
        "working_memory": [key for session in sessions for key in Keys.of(tenant, session).all()],
        "stream_buffers": [stream_key(tenant, turn) for turn in turns],
        "reservations": [reservation_key(tenant, turn) for turn in turns],
    }
    counts = dict.fromkeys(keys, 0)
    for kind, names in keys.items():
        for batch in batched(names, BATCH):

            async def delete(client: Any, batch: Sequence[str] = batch) -> int:
                # One by one: in a cluster the keys are in different slots.
                return sum([await client.delete(key) for key in batch])

            counts[kind] += await redis.run(delete, tenant)
    return counts


# Longer than any stream buffer or reservation lives.
CACHE_LIFETIME = timedelta(hours=2)


@dataclass(frozen=True, kw_only=True, eq=False)
class PostgresErasure:
    cells: Cells
    keyring: Keyring
    rotation: KeyRotation
    queue: JobQueue
    redis: RedisClient
    outbox: Outbox
    audit: AuditWriter

    async def ask(self, request: ErasureRequest) -> Erasure:
        """Store a request and queue its job, or return the member's open request.

        An immediate request locks the member out and starts a planned one. Raises NotFound."""
        tenant, at = request.caller.scope.tenant, request.requested_at
        ids = {"tenant": tenant, "member": request.member}
        values = await self._values(request)
        action = AuditAction.ERASURE_REQUESTED if request.at_once else AuditAction.ERASURE_PLANNED
        event = await self.audit.prepare(request.caller, action, request.member, request.reason)
        async with self.cells.transaction(tenant) as connection:
            if await fetch_one(connection, "lock_member", **ids) is None:
                raise NotFound("member")
            if request.at_once:
                await _lock_out(connection, ids, at)
            row = await fetch_one(connection, "open_erasure_of", **ids)
            erasure = None if row is None else _erasure(tenant, row)
            if erasure is None:
                row = await fetch_one(connection, "add_erasure", **ids, **values)
                assert row is not None, "an insert returns its row"
                erasure = _erasure(tenant, row)
                seconds = (request.runs_at - at).total_seconds()
                await self.queue.defer(connection, _job(tenant, erasure.id, seconds))
            elif request.at_once and erasure.state is ErasureState.PLANNED:
                erasure = replace(erasure, state=ErasureState.STARTED, runs_at=at)
                key = {"tenant": tenant, "erasure": erasure.id}
                await execute(connection, "hasten_erasure", **key, now=at)
                await self.queue.defer_now(connection, _job(tenant, erasure.id))
            await self.audit.add(connection, event)
        return erasure

    async def _values(self, request: ErasureRequest) -> dict[str, object]:
        """Return the values of a new request but for its member."""
        tenant, identifier = request.caller.scope.tenant, new_id(request.requested_at)
        sealed = None
        if request.reason:
            cipher = await self.keyring.tenant(tenant)
            sealed = cipher.seal(request.reason, FieldLocation("erasure.reason", identifier))
        state = ErasureState.STARTED if request.at_once else ErasureState.PLANNED
        return {
            "erasure": identifier,
            "requested_by": request.caller.scope.user,
            "reason": sealed,
            "state": state.value,
            "now": request.requested_at,
            "runs_at": request.runs_at,
        }

    async def cancel(self, caller: Caller, erasure: Erasure) -> bool:
        """Cancel a planned request; return False if it has started or is cancelled."""
        event = await self.audit.prepare(caller, AuditAction.ERASURE_CANCELLED, erasure.member)
        async with self.cells.transaction(erasure.tenant) as connection:
            key = {"tenant": erasure.tenant, "erasure": erasure.id}
            if not await execute(connection, "cancel_erasure", **key):
                return False
            await self.audit.add(connection, event)
        return True

    async def begin(self, erasure: Erasure, at: datetime) -> bool:
        """Start a planned request and lock the member out; return False if not due or cancelled."""
        tenant = erasure.tenant
        async with self.cells.transaction(tenant) as connection:
            key = {"tenant": tenant, "erasure": erasure.id}
            if await execute(connection, "begin_erasure", **key, now=at):
                ids = {"tenant": tenant, "member": erasure.member}
                await _lock_out(connection, ids, at)
                return True
            seconds = (erasure.runs_at - at).total_seconds()
            if seconds > 0:
                # This worker's clock may be behind the clock that queued the job.
                await self.queue.defer_once(connection, _job(tenant, erasure.id, seconds))
        return False

    async def find(self, tenant: UUID, erasure: UUID) -> Erasure | None:
        row = await self.cells.read_one(tenant, "find_erasure", erasure=erasure)
        return None if row is None else _erasure(tenant, row)

    async def list(
        self, tenant: UUID, member: UUID | None, before: UUID | None, most: int
    ) -> list[Erasure]:
        """Return requests of a tenant, or of one member, newest first, older than `before`."""
        page = {"member": member, "before": before or LAST_ID, "most": most}
        rows = await self.cells.read(tenant, "list_erasures", **page)
        return [_erasure(tenant, row) for row in rows]

    async def destroy_key(self, erasure: Erasure, at: datetime) -> float:
        """Stop the user's turns and jobs, destroy the key, and queue the sweep for when every
        cached copy of the key has expired; return the seconds until then."""
        ids = {"tenant": erasure.tenant, "member": erasure.member}
        await self.keyring.store.destroy(erasure.tenant, erasure.member)
        self.keyring.forget(erasure.tenant, erasure.member)
        seconds = self.rotation.settle_seconds
        async with self.cells.transaction(erasure.tenant) as connection:
            await execute(connection, "stop_turns_of_person", **ids)
            await execute(connection, "drop_jobs_of_person", **ids)
            key = {"tenant": erasure.tenant, "erasure": erasure.id}
            await execute(connection, "note_key_destroyed", **key, now=at)
            # The sweep changes the search index, which has one writer at a time.
            lock = index_lock(erasure.tenant)
            job = Job(JobKind.ERASE, erasure.tenant, erasure.id, lock, seconds)
            await self.queue.defer(connection, job)
        return seconds

    async def sweep(self, erasure: Erasure) -> Mapping[str, Any]:
        """Remove the user from every store, and return a draft of the receipt: the number of
        `removed` rows, and what is `kept` and why. Running it again gives the same."""
        if erasure.receipt is not None:
            return erasure.receipt
        tenant, ids = erasure.tenant, {"tenant": erasure.tenant, "member": erasure.member}
        cell = await self.cells.for_tenant(tenant)
        rows = await cell.read(tenant, "ids_of_person", member=erasure.member)
        sessions = [row["id"] for row in rows if row["kind"] == "session"]
        turns = [row["id"] for row in rows if row["kind"] == "turn"]
        recent = [turn for turn in turns if made_at(turn) > erasure.requested_at - CACHE_LIFETIME]
        cached = await delete_cached(self.redis, tenant, sessions, recent)
        subjects = [str(each) for each in (*sessions, *turns)]
        async with cell.transaction(tenant) as connection:
            jobs = await execute(connection, "erase_jobs", tenant=tenant, subjects=subjects)
            own_passages = await fetch_all(connection, "passages_of_own", **ids)
            passages = [row["passage_id"] for row in own_passages]
            await queue_index_changes(connection, self.queue, tenant, passages)
            counts = await erase_rows(connection, ids)
            removed = {
                "postgres": counts,
                "redis": cached,
                "jobs": {"waiting": jobs},
                "index": {"passages": len(passages)},
            }
            draft = {"removed": removed, "kept": await _retained(connection, ids)}
            # In the same transaction, so that a job that runs again still has the counts.
            key = {"tenant": tenant, "erasure": erasure.id}
            await execute(connection, "note_swept", **key, receipt=Jsonb(draft))
        return draft

    async def close(
        self, erasure: Erasure, receipt: Mapping[str, Any], signature: bytes, at: datetime
    ) -> None:
        """Store the receipt once."""
        values = {
            "erasure": erasure.id,
            "receipt": Jsonb(dict(receipt)),
            "signature": signature,
            "now": at,
        }
        async with self.cells.transaction(erasure.tenant) as connection:
            if not await execute(connection, "close_erasure", tenant=erasure.tenant, **values):
                return
            done = self.audit.of_job(erasure.tenant, erasure.member, AuditAction.ERASED, erasure.id)
            await self.audit.add(connection, done)
            await self.outbox.queue_event(
                connection, erasure.tenant, WebhookEvent.ERASURE_DONE, erasure.id
            )

    async def signing_seed(self, tenant: UUID) -> bytes:
        """Return the tenant's 32-byte seed for signing receipts."""
        return (await self.keyring.tenant(tenant)).derive("receipts")


async def _lock_out(connection: Connection, ids: Mapping[str, UUID], at: datetime) -> None:
    """Disable a member, and stop the turns and jobs that would send their words to a model."""
    await execute(connection, "lock_out_member", **ids, now=at)
    await execute(connection, "stop_turns_of_person", **ids)
    await execute(connection, "drop_jobs_of_person", **ids)


async def erase_rows(connection: Connection, ids: Mapping[str, UUID]) -> dict[str, int]:
    """Delete a user's rows table by table, and count them."""
    return {
        table.name: await execute(connection, table.erase, **ids)
        for table in PERSONAL
        if table.erase is not None
    }


async def continue_erasures(connection: Connection, tenant: UUID) -> None:
    """Queue the open erasures of a restored or imported tenant, whose jobs were not copied."""
    queue = JobQueue(SystemClock())
    for row in await fetch_all(connection, "continue_erasures", tenant=tenant):
        await queue.defer(connection, _job(tenant, row["erasure_id"], row["seconds"]))


async def _retained(connection: Connection, ids: Mapping[str, UUID]) -> dict[str, dict[str, Any]]:
    row = await fetch_one(connection, "count_events_of_person", **ids)
    assert row is not None, "a count is a row"
    kept: dict[str, dict[str, Any]] = {
        table.name: {"why": table.kept_because} for table in PERSONAL if table.erase is None
    }
    kept["audit_event"]["rows"] = row["events"]
    kept["tombstone"] = {"why": "prevents a restored backup from bringing the user back"}
    return kept


def _job(tenant: UUID, erasure: UUID, delay: float = 0.0) -> Job:
    return exclusive_job(JobKind.ERASE, tenant, erasure, delay)


def _erasure(tenant: UUID, row: Row) -> Erasure:
    return from_row(Erasure, row, id=row["erasure_id"], tenant=tenant)
