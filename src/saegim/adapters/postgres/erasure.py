"""Erasure through every store, by the list of personal tables: implements `ErasureStore`."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from saegim.adapters.keyring.cipher import Place
from saegim.adapters.keyring.keyring import Keyring
from saegim.adapters.keyring.rotation import Rotation
from saegim.adapters.postgres.cells import (
    Cells,
    Connection,
    Row,
    execute,
    fetch_all,
    fetch_one,
)
from saegim.adapters.postgres.index_changes import tell_index
from saegim.adapters.postgres.jobs import JobQueue
from saegim.adapters.postgres.outbox import Outbox
from saegim.adapters.postgres.personal import PERSONAL
from saegim.adapters.redis.erasure import RedisErasure
from saegim.domain.errors import NotFound
from saegim.domain.happenings import Happening
from saegim.domain.ids import LAST_ID, made_at, new_id
from saegim.domain.scope import Caller
from saegim.governance.erasure import Erasure, ErasureState, Swept, erase_job
from saegim.library.indexing import index_lock

# Longer than a stream is buffered or a reservation kept.
CACHED = timedelta(hours=2)


class PostgresErasure:
    def __init__(
        self,
        cells: Cells,
        keyring: Keyring,
        rotation: Rotation,
        queue: JobQueue,
        redis: RedisErasure,
        outbox: Outbox,
    ) -> None:
        self._cells = cells
        self._keyring = keyring
        self._rotation = rotation
        self._queue = queue
        self._redis = redis
        self._outbox = outbox

    async def ask(self, caller: Caller, member: UUID, reason: str, at: datetime) -> Erasure:
        tenant, identifier = caller.scope.tenant, new_id(at)
        whose = {"tenant": tenant, "member": member}
        sealed = None
        if reason:
            cipher = await self._keyring.tenant(tenant)
            sealed = cipher.seal(reason, Place("erasure.reason", identifier))
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            if await fetch_one(connection, "lock_out_member", **whose, now=at) is None:
                raise NotFound("member")
            open_one = await fetch_one(connection, "open_erasure_of", **whose)
            if open_one is not None:
                return _erasure(tenant, open_one)
            values = {"erasure": identifier, "asked_by": caller.scope.user, "reason": sealed}
            await execute(connection, "add_erasure", **whose, **values, now=at)
            await self._queue.defer(connection, erase_job(tenant, identifier))
        return Erasure(identifier, tenant, member, caller.scope.user, ErasureState.ASKED, at)

    async def find(self, tenant: UUID, erasure: UUID) -> Erasure | None:
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            row = await fetch_one(connection, "find_erasure", tenant=tenant, erasure=erasure)
        return None if row is None else _erasure(tenant, row)

    async def list(self, tenant: UUID, before: UUID | None, most: int) -> list[Erasure]:
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            page = {"before": before or LAST_ID, "most": most}
            rows = await fetch_all(connection, "list_erasures", tenant=tenant, **page)
        return [_erasure(tenant, row) for row in rows]

    async def destroy_key(self, erasure: Erasure, at: datetime) -> float:
        whose = {"tenant": erasure.tenant, "member": erasure.member}
        await self._keyring.store.destroy(erasure.tenant, erasure.member)
        self._keyring.forget(erasure.tenant, erasure.member)
        seconds = self._rotation.settle_seconds
        cell = await self._cells.for_tenant(erasure.tenant)
        async with cell.transaction(erasure.tenant) as connection:
            await execute(connection, "stop_turns_of_person", **whose)
            named = {"tenant": erasure.tenant, "erasure": erasure.id}
            await execute(connection, "note_key_destroyed", **named, now=at)
            # The rest changes the search index, one writer of which works at a time.
            job = erase_job(erasure.tenant, erasure.id, seconds, index_lock(erasure.tenant))
            await self._queue.defer(connection, job)
        return seconds

    async def sweep(self, erasure: Erasure) -> Swept:
        if erasure.receipt is not None:
            return Swept(erasure.receipt["removed"], erasure.receipt["kept"])
        tenant, whose = erasure.tenant, {"tenant": erasure.tenant, "member": erasure.member}
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            rows = await fetch_all(connection, "ids_of_person", **whose)
        sessions = [row["id"] for row in rows if row["kind"] == "session"]
        turns = [row["id"] for row in rows if row["kind"] == "turn"]
        recent = [turn for turn in turns if made_at(turn) > erasure.asked_at - CACHED]
        cached = await self._redis.remove(tenant, sessions, recent)
        subjects = [str(each) for each in (*sessions, *turns)]
        async with cell.transaction(tenant) as connection:
            jobs = await execute(connection, "erase_jobs", tenant=tenant, subjects=subjects)
            own = await fetch_all(connection, "passages_of_own", **whose)
            passages = [row["passage_id"] for row in own]
            await tell_index(connection, self._queue, tenant, passages)
            counts = await erase_rows(connection, whose)
            kept = await _kept(connection, whose)
            removed = {
                "postgres": counts,
                "redis": cached,
                "jobs": {"waiting": jobs},
                "index": {"passages": len(passages)},
            }
            # With the rows, so that the job, run again, still has the counts.
            named = {"tenant": tenant, "erasure": erasure.id}
            draft = Jsonb({"removed": removed, "kept": kept})
            await execute(connection, "note_swept", **named, receipt=draft)
        return Swept(removed, kept)

    async def close(
        self, erasure: Erasure, receipt: Mapping[str, Any], signature: bytes, at: datetime
    ) -> None:
        values = {
            "erasure": erasure.id,
            "receipt": Jsonb(dict(receipt)),
            "signature": signature,
            "now": at,
        }
        cell = await self._cells.for_tenant(erasure.tenant)
        async with cell.transaction(erasure.tenant) as connection:
            await execute(connection, "close_erasure", tenant=erasure.tenant, **values)
            await self._outbox.tell(connection, erasure.tenant, Happening.ERASURE_DONE, erasure.id)

    async def signing_seed(self, tenant: UUID) -> bytes:
        return (await self._keyring.tenant(tenant)).derive("receipts")


async def erase_rows(connection: Connection, whose: Mapping[str, UUID]) -> dict[str, int]:
    """Takes all of a person's rows away, table by table, and counts them."""
    return {
        table.name: await execute(connection, table.erase, **whose)
        for table in PERSONAL
        if table.erase is not None
    }


async def _kept(connection: Connection, whose: Mapping[str, UUID]) -> dict[str, dict[str, Any]]:
    row = await fetch_one(connection, "count_events_of_person", **whose)
    assert row is not None, "a count is a row"
    kept: dict[str, dict[str, Any]] = {
        table.name: {"why": table.kept_because} for table in PERSONAL if table.erase is None
    }
    kept["audit_event"]["rows"] = row["events"]
    kept["tombstone"] = {"why": "so that no backup that is restored brings the person back"}
    return kept


def _erasure(tenant: UUID, row: Row) -> Erasure:
    return Erasure(
        id=row["erasure_id"],
        tenant=tenant,
        member=row["member_id"],
        asked_by=row["asked_by"],
        state=ErasureState(row["state"]),
        asked_at=row["asked_at"],
        key_destroyed_at=row["key_destroyed_at"],
        done_at=row["done_at"],
        receipt=row["receipt"],
        signature=None if row["signature"] is None else bytes(row["signature"]),
    )
