"""The audit trail in Postgres."""

import contextlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from saegim.audit.types import NOBODY, ON_BEHALF, AuditAction, Event, ListedEvent, Seal
from saegim.db.cells import Cells, Connection, Row, execute, fetch_all, fetch_one, from_row
from saegim.domain.ids import LAST_ID, Clock, first_id, new_id
from saegim.domain.scope import Caller
from saegim.encryption.cipher import Cipher, FieldLocation, SealBroken
from saegim.encryption.keyring import Keyring
from saegim.encryption.types import Head, KeyDestroyed
from saegim.jobs.queue import JobQueue, exclusive_job
from saegim.jobs.types import JobKind

FIRST_LINK = b""


def link(key: bytes, previous: bytes, number: int, events: Sequence[Event]) -> bytes:
    """Return the digest of a batch, which covers all earlier batches."""
    lines = "\n".join(event.text() for event in events)
    content = previous + f"\n{number}\n{len(events)}\n{lines}".encode()
    return hmac.digest(key, content, "sha256")


REASON = "audit_event.reason"
# A transaction that began earlier may still commit an event with a smaller id.
SETTLED = timedelta(seconds=20)
SEAL_AFTER_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class PreparedEvent:
    """An event with its encrypted reason, ready to join a transaction of its tenant."""

    tenant: UUID
    values: Mapping[str, object]


class AuditWriter:
    """Adds events to the transaction of the change they record."""

    def __init__(self, keyring: Keyring, queue: JobQueue, clock: Clock) -> None:
        self._keyring = keyring
        self._queue = queue
        self._clock = clock

    async def prepare(
        self, caller: Caller, action: AuditAction, subject: UUID, reason: str = ""
    ) -> PreparedEvent:
        """Prepare an event of the caller. Call before the transaction: it may fetch a key."""
        return self.sealed(await self.cipher_of(caller), caller, action, subject, reason)

    async def cipher_of(self, caller: Caller) -> Cipher:
        """Return the cipher for the caller's reasons."""
        return await self._keyring.user(caller.scope.tenant, caller.scope.user)

    def sealed(
        self, cipher: Cipher, caller: Caller, action: AuditAction, subject: UUID, reason: str
    ) -> PreparedEvent:
        now = self._clock.now()
        event = new_id(now)
        values = {
            "event": event,
            "member": caller.scope.user,
            "profile": caller.scope.profile,
            "subject": subject,
            "action": action.value,
            "actor": caller.role.value,
            "reason": cipher.seal(reason, FieldLocation(REASON, event)) if reason else None,
            "actor_id": caller.scope.user,
            "key": caller.key,
            "origin": caller.credential.value + (ON_BEHALF if caller.on_behalf else ""),
            "now": now,
        }
        return PreparedEvent(caller.scope.tenant, values)

    def of_job(
        self, tenant: UUID, member: UUID, action: AuditAction, subject: UUID
    ) -> PreparedEvent:
        now = self._clock.now()
        values = {
            "event": new_id(now),
            "member": member,
            "profile": NOBODY,
            "subject": subject,
            "action": action.value,
            "actor": "worker",
            "reason": None,
            "actor_id": None,
            "key": None,
            "origin": "job",
            "now": now,
        }
        return PreparedEvent(tenant, values)

    async def add(self, connection: Connection, *events: PreparedEvent) -> None:
        """Add events to the caller's transaction, and queue their sealing."""
        for event in events:
            await execute(connection, "add_tenant_event", tenant=event.tenant, **event.values)
        for tenant in {event.tenant for event in events}:
            job = exclusive_job(JobKind.SEAL_AUDIT, tenant, delay=SEAL_AFTER_SECONDS)
            await self._queue.defer_once(connection, job)


class PendingEvent:
    """A pending event, and one more about the user that a new key is for."""

    def __init__(
        self, writer: AuditWriter, cipher: Cipher, caller: Caller, action: AuditAction
    ) -> None:
        self._writer = writer
        self._cipher = cipher
        self._caller = caller
        self._action = action
        self._subject: UUID | None = None
        self._person: UUID | None = None
        self.reason = ""
        self.stored = False

    @property
    def tenant(self) -> UUID:
        return self._caller.scope.tenant

    @property
    def ready(self) -> bool:
        return self._subject is not None and not self.stored

    def about(self, subject: UUID, person: UUID | None = None) -> None:
        self._subject, self._person = subject, person

    async def join(self, connection: Connection) -> None:
        self.stored = True
        await self._writer.add(connection, *self.events())

    def undo(self) -> None:
        self.stored = False

    def events(self) -> list[PreparedEvent]:
        assert self._subject is not None, "an event is about something"
        subjects = [(self._action, self._subject)]
        if self._person is not None:
            subjects.append((AuditAction.KEY_MADE_FOR, self._person))
        return [
            self._writer.sealed(self._cipher, self._caller, action, subject, self.reason)
            for action, subject in subjects
        ]


class PostgresAudit:
    def __init__(self, cells: Cells, keyring: Keyring, writer: AuditWriter) -> None:
        self._cells = cells
        self._keyring = keyring
        self._writer = writer

    async def add(self, *events: PreparedEvent) -> None:
        """Add events of one tenant in a transaction of their own, and queue their sealing."""
        async with self._cells.transaction(events[0].tenant) as connection:
            await self._writer.add(connection, *events)

    async def events(self, tenant: UUID, before: UUID | None, most: int) -> list[ListedEvent]:
        """Return events, newest first, older than `before`."""
        rows = await self._cells.read(
            tenant, "list_tenant_events", before=before or LAST_ID, most=most
        )
        return [
            ListedEvent(
                _event(row),
                await self._readable_reason(tenant, row),
                row["sealed_in"],
                row["key_made_by"],
            )
            for row in rows
        ]

    async def seal_next(self, tenant: UUID, at: datetime, most: int) -> int:
        """Seal the next batch of events, and return how many."""
        key = await self.chain_key(tenant)
        async with self._cells.transaction(tenant) as connection:
            # One batch at a time for each tenant.
            await execute(connection, "lock_tenant", tenant=tenant)
            last = await fetch_one(connection, "last_seal", tenant=tenant)
            rows = await fetch_all(
                connection,
                "unsealed_events",
                tenant=tenant,
                before=first_id(at - SETTLED),
                most=most,
            )
            if not rows:
                return 0
            number = last["number"] + 1 if last else 1
            for row in rows:
                row["reason_digest"] = await self._digest(tenant, key, row)
                await execute(
                    connection,
                    "mark_sealed",
                    tenant=tenant,
                    event=row["event_id"],
                    number=number,
                    reason_digest=row["reason_digest"],
                )
            previous = last["digest"] if last else FIRST_LINK
            digest = link(key, previous, number, [_event(row) for row in rows])
            values = {"number": number, "events": len(rows), "digest": digest, "now": at}
            await execute(connection, "add_seal", tenant=tenant, **values)
        return len(rows)

    async def seals(self, tenant: UUID, after: int, most: int) -> list[Seal]:
        """Return the batches after a number, in order."""
        rows = await self._cells.read(tenant, "list_seals", after=after, most=most)
        return [Seal(**row) for row in rows]

    async def batch(self, tenant: UUID, number: int) -> tuple[list[Event], int, list[UUID]]:
        """Return the events of a batch, the number of unreadable reasons, and the changed ones."""
        key = await self.chain_key(tenant)
        rows = await self._cells.read(tenant, "events_of_seal", number=number)
        lost, changed = 0, list[UUID]()
        for row in rows:
            try:
                digest = await self._digest(tenant, key, row)
            except SealBroken:
                changed.append(row["event_id"])
                continue
            if digest is None and row["reason"] is not None:
                lost += 1
            elif digest != row["reason_digest"]:
                changed.append(row["event_id"])
        return [_event(row) for row in rows], lost, changed

    async def unsealed(self, tenant: UUID) -> int:
        """Count the events that are not sealed yet."""
        [row] = await self._cells.read(tenant, "count_unsealed")
        return int(row["events"])

    async def last_head(self, tenant: UUID) -> Head | None:
        row = await self._cells.read_one(tenant, "last_seal")
        return None if row is None else Head(**row)

    async def digest_of(self, tenant: UUID, number: int) -> bytes | None:
        """Return the digest of a batch, or None."""
        row = await self._cells.read_one(tenant, "find_seal", number=number)
        return None if row is None else row["digest"]

    async def chain_key(self, tenant: UUID) -> bytes:
        """Return the tenant's key, without which no valid chain can be made."""
        return (await self._keyring.tenant(tenant)).derive("audit")

    async def _reason(self, tenant: UUID, row: Row) -> str | None:
        """Return the reason if it is readable. Raises SealBroken if it was changed."""
        if row["reason"] is None:
            return None
        try:
            cipher = await self._keyring.user(tenant, row["member_id"])
        except KeyDestroyed:
            return None
        return cipher.open(row["reason"], FieldLocation(REASON, row["event_id"]))

    async def _readable_reason(self, tenant: UUID, row: Row) -> str:
        with contextlib.suppress(SealBroken):
            return await self._reason(tenant, row) or ""
        return ""

    async def _digest(self, tenant: UUID, key: bytes, row: Row) -> bytes | None:
        reason = await self._reason(tenant, row)
        return None if reason is None else hmac.digest(key, reason.encode(), "sha256")


def _event(row: Row) -> Event:
    return from_row(Event, row, id=row["event_id"])
