"""Append-only audit trail, sealed in batches by a chain of keyed hashes."""

import hmac
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from saegim.audit.repository import FIRST_LINK, AuditWriter, PendingEvent, PostgresAudit, link
from saegim.audit.types import NOBODY, AuditAction, ChainVerification, ListedEvent, Seal
from saegim.domain.ids import Clock
from saegim.domain.pending_audit_event import RECORDING
from saegim.domain.scope import Caller
from saegim.encryption.key_store import PostgresKeys
from saegim.encryption.types import Head

log = logging.getLogger(__name__)

BATCH = 500


class AuditTrail:
    def __init__(
        self, store: PostgresAudit, writer: AuditWriter, heads: PostgresKeys, clock: Clock
    ) -> None:
        self._store = store
        self._writer = writer
        self._heads = heads
        self._clock = clock

    async def note(
        self, caller: Caller, action: AuditAction, subject: UUID, reason: str = ""
    ) -> None:
        """Record an action that stores nothing else; see `recording`."""
        await self._store.add(await self._writer.prepare(caller, action, subject, reason))

    @asynccontextmanager
    async def recording(
        self, caller: Caller, action: AuditAction, subject: UUID | None = None, reason: str = ""
    ) -> AsyncGenerator[None]:
        """Record a change in the transaction made within, or after it if there was none; nothing is
        recorded if it fails.

        Code that stores a new object names the subject (`pending_audit_event.about`)."""
        pending = PendingEvent(self._writer, await self._writer.cipher_of(caller), caller, action)
        pending.reason = reason
        if subject is not None:
            pending.about(subject)
        token = RECORDING.set(pending)
        try:
            yield
        finally:
            RECORDING.reset(token)
        if not pending.stored:
            await self._store.add(*pending.events())

    async def done(self, tenant: UUID, member: UUID, action: AuditAction, subject: UUID) -> None:
        """Record an action of a job or an operator."""
        await self._store.add(self._writer.of_job(tenant, member, action, subject))

    async def events(self, tenant: UUID, before: UUID | None, most: int) -> list[ListedEvent]:
        """Return events, newest first."""
        return await self._store.events(tenant, before, most)

    async def seal(self, tenant: UUID, subject: UUID) -> int:
        """Seal all new events. May run twice."""
        assert subject == tenant, "a trail is of a whole tenant"
        total = 0
        while sealed := await self._store.seal_next(tenant, self._clock.now(), BATCH):
            total += sealed
        await self._record_head(tenant)
        return total

    async def accept_head(self, tenant: UUID) -> Head | None:
        """Record the current end of the trail after a restore of an older backup, with an event.

        Returns None for an empty trail."""
        head = await self._store.last_head(tenant)
        if head is not None:
            await self._heads.move_audit_head(tenant, await self._heads.audit_head(tenant), head)
            await self.done(tenant, NOBODY, AuditAction.AUDIT_HEAD_SET, tenant)
        return head

    async def ends_early(self, tenant: UUID) -> bool:
        """Whether the trail lacks its recorded last batch, as after a restore."""
        recorded = await self._heads.audit_head(tenant)
        return recorded is not None and not await self._has(tenant, recorded)

    async def _has(self, tenant: UUID, head: Head) -> bool:
        return await self._store.digest_of(tenant, head.number) == head.digest

    async def _record_head(self, tenant: UUID) -> None:
        """Record the end of the trail if it continues from the recorded head."""
        recorded, head = await self._heads.audit_head(tenant), await self._store.last_head(tenant)
        if head is None or head == recorded:
            return
        if recorded is not None and not await self._has(tenant, recorded):
            log.error("audit trail of tenant %s was cut: run `saegim audit verify`", tenant)
            return
        await self._heads.move_audit_head(tenant, recorded, head)
        # A copy outside both databases, in the logs.
        digest = head.digest.hex()
        log.info("audit trail of tenant %s: batch %s head %s", tenant, head.number, digest)

    async def verify(self, tenant: UUID) -> ChainVerification:
        """Verify the whole chain, and return what does not match."""
        key, previous = await self._store.chain_key(tenant), FIRST_LINK
        # Before the batches are read: one sealed meanwhile is not missing.
        recorded = await self._heads.audit_head(tenant)
        broken: list[str] = []
        batches = events = unreadable = 0
        async for seal in self._seals(tenant):
            batches += 1
            if seal.number != batches:
                broken.append(f"batch {batches} is missing")
                break
            batch, lost, changed = await self._store.batch(tenant, seal.number)
            broken += [f"batch {seal.number}: the reason of {each} was changed" for each in changed]
            if len(batch) != seal.events:
                broken.append(f"batch {seal.number}: {len(batch)} events instead of {seal.events}")
            elif not hmac.compare_digest(link(key, previous, seal.number, batch), seal.digest):
                broken.append(f"batch {seal.number}: an event was changed")
            previous, events, unreadable = seal.digest, events + len(batch), unreadable + lost
        if recorded is not None:
            digest = await self._store.digest_of(tenant, recorded.number)
            if digest is None:
                broken.append(f"the batches up to {recorded.number} are not all there")
            elif not hmac.compare_digest(digest, recorded.digest):
                broken.append(f"batch {recorded.number} is not the one that the keyring recorded")
        return ChainVerification(
            batches=batches,
            events=events,
            unsealed=await self._store.unsealed(tenant),
            unreadable=unreadable,
            head=previous.hex(),
            broken=tuple(broken),
        )

    async def _seals(self, tenant: UUID) -> AsyncIterator[Seal]:
        after = 0
        while page := await self._store.seals(tenant, after, BATCH):
            for seal in page:
                yield seal
            after = page[-1].number
