"""The audit trail: append-only, sealed in batches by a chain of keyed hashes, verified at will."""

import hmac
import logging
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from uuid import UUID

from saegim.audit.chain import FIRST_LINK, link
from saegim.audit.repository import PostgresAudit
from saegim.audit.types import NOBODY, AuditAction, ChainVerification, ListedEvent, Seal
from saegim.domain.ids import Clock
from saegim.domain.scope import Caller
from saegim.encryption.key_store import PostgresKeys
from saegim.encryption.types import Head

log = logging.getLogger(__name__)

AT_ONCE = 500


class AuditTrail:
    def __init__(self, store: PostgresAudit, heads: PostgresKeys, clock: Clock) -> None:
        self._store = store
        self._heads = heads
        self._clock = clock

    async def note(
        self, caller: Caller, deed: AuditAction, subject: UUID, reason: str = ""
    ) -> None:
        """Enters into the trail what a caller did that stores nothing; see `recording`."""
        await self._store.note(caller, deed, subject, reason)

    def recording(
        self, caller: Caller, deed: AuditAction, subject: UUID | None = None, reason: str = ""
    ) -> AbstractAsyncContextManager[None]:
        """Enters a change that is made within into the trail, in the same transaction: neither is
        stored without the other. Nothing is entered where it fails."""
        return self._store.recording(caller, deed, subject, reason)

    async def done(self, tenant: UUID, member: UUID, deed: AuditAction, subject: UUID) -> None:
        """Enters what a job did into the trail."""
        await self._store.note_done(tenant, member, deed, subject)

    async def events(self, tenant: UUID, before: UUID | None, most: int) -> list[ListedEvent]:
        """Events, newest first."""
        return await self._store.events(tenant, before, most)

    async def seal(self, tenant: UUID, subject: UUID) -> int:
        """Seals all events that are new. Running twice does no harm."""
        assert subject == tenant, "a trail is of a whole tenant"
        total = 0
        while sealed := await self._store.seal_next(tenant, self._clock.now(), AT_ONCE):
            total += sealed
        await self._record_head(tenant)
        return total

    async def accept_head(self, tenant: UUID) -> Head | None:
        """Records the trail's present end, for an operator who restored an older backup. Leaves an
        event. Returns None for an empty trail."""
        found = await self._store.last_head(tenant)
        if found is not None:
            await self._heads.move_audit_head(tenant, await self._heads.audit_head(tenant), found)
            await self._store.note_done(tenant, NOBODY, AuditAction.AUDIT_HEAD_SET, tenant)
        return found

    async def ends_early(self, tenant: UUID) -> bool:
        """Whether the trail lacks the batch that is recorded as its last, as after a restore."""
        recorded = await self._heads.audit_head(tenant)
        if recorded is None:
            return False
        return await self._store.digest_of(tenant, recorded.number) != recorded.digest

    async def _record_head(self, tenant: UUID) -> None:
        """Moves the recorded head to the end of the trail if the trail continues from it."""
        recorded, found = await self._heads.audit_head(tenant), await self._store.last_head(tenant)
        if found is None or found == recorded:
            return
        if recorded is not None:
            digest = await self._store.digest_of(tenant, recorded.number)
            if digest != recorded.digest:
                log.error("audit trail of tenant %s was cut: run `saegim audit verify`", tenant)
                return
        await self._heads.move_audit_head(tenant, recorded, found)
        # A copy outside both databases, where logs are collected.
        log.info(
            "audit trail of tenant %s: batch %s head %s", tenant, found.number, found.digest.hex()
        )

    async def verify(self, tenant: UUID) -> ChainVerification:
        """Goes along the whole chain and tells what does not fit."""
        key, previous = await self._store.chain_key(tenant), FIRST_LINK
        # Before the batches are read: one that is sealed meanwhile is none that is missing.
        recorded = await self._heads.audit_head(tenant)
        broken: list[str] = []
        batches = events = unreadable = 0
        async for seal in self._seals(tenant):
            batches += 1
            if seal.number != batches:
                broken.append(f"batch {batches} is missing")
                break
            found, lost, changed = await self._store.batch(tenant, seal.number)
            broken += [f"batch {seal.number}: the reason of {each} was changed" for each in changed]
            if len(found) != seal.events:
                broken.append(f"batch {seal.number}: {len(found)} events instead of {seal.events}")
            elif not hmac.compare_digest(link(key, previous, seal.number, found), seal.digest):
                broken.append(f"batch {seal.number}: an event was changed")
            previous, events, unreadable = seal.digest, events + len(found), unreadable + lost
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
        """All batches, first to last, read in slices."""
        after = 0
        while found := await self._store.seals(tenant, after, AT_ONCE):
            for seal in found:
                yield seal
            after = found[-1].number
