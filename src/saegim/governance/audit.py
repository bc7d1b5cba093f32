"""The audit trail: append-only, sealed in batches by a chain of keyed hashes, verified at will."""

import hmac
import json
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from saegim.domain.clock import Clock
from saegim.domain.jobs import Job, JobKind
from saegim.domain.scope import Caller

log = logging.getLogger(__name__)

FIRST_LINK = b""
NOBODY = UUID(int=0)
SEAL_AFTER_SECONDS = 60.0
AT_ONCE = 500
ON_BEHALF = ":on_behalf"


class Deed(StrEnum):
    """What admins and people do that memory itself does not note."""

    KEY_MADE = "key_made"
    KEY_ROTATED = "key_rotated"
    KEY_REVOKED = "key_revoked"
    TOKEN_MINTED = "token_minted"  # noqa: S105 - the name of a deed
    MEMBER_CHANGED = "member_changed"
    IDENTITY_LINKED = "identity_linked"
    IDENTITY_UNLINKED = "identity_unlinked"
    ISSUER_CHANGED = "issuer_changed"
    ASSISTANT_PUBLISHED = "assistant_published"
    AUDIENCE_CHANGED = "audience_changed"
    LIMITS_CHANGED = "limits_changed"
    WEBHOOKS_CHANGED = "webhooks_changed"
    GUILD_CHANGED = "guild_changed"
    ERASURE_PLANNED = "erasure_planned"
    ERASURE_CANCELLED = "erasure_cancelled"
    ERASURE_ASKED = "erasure_asked"
    ERASED = "erased"
    EXPORTED = "exported"
    READ_BY_OTHER = "read_by_other"
    AUDIT_HEAD_SET = "audit_head_set"
    QUESTIONS_READ = "questions_read"
    KEY_MADE_FOR = "key_made_for"
    DOCUMENTS_ADDED = "documents_added"
    DOCUMENT_REMOVED = "document_removed"
    SOURCES_CHANGED = "sources_changed"
    SIGNED_IN = "signed_in"
    SIGNED_OUT = "signed_out"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Event:
    """Who did what to whom, when, why and from where. `reason_digest` is a keyed hash of why."""

    id: UUID
    member: UUID
    subject: UUID
    action: str
    actor: str
    at: datetime
    actor_id: UUID | None
    key: UUID | None
    origin: str | None
    reason_digest: bytes | None

    @property
    def on_behalf(self) -> bool:
        """Whether somebody else than the person holds or made the credential."""
        return (self.origin or "").endswith(ON_BEHALF)

    def text(self) -> str:
        """What the chain covers, in one form only."""
        return json.dumps(
            [
                self.id.hex,
                self.member.hex,
                self.subject.hex,
                self.action,
                self.actor,
                f"{self.at.timestamp():.6f}",
                self.actor_id.hex if self.actor_id else None,
                self.key.hex if self.key else None,
                self.origin,
                self.reason_digest.hex() if self.reason_digest else None,
            ],
            ensure_ascii=False,
        )


@dataclass(frozen=True, slots=True)
class Seal:
    """A sealed batch."""

    number: int
    events: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class Head:
    """The last sealed batch of a tenant's trail."""

    number: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class ListedEvent:
    """An event as an auditor reads it; the reason is empty where its person was erased.

    `key_made_by` is who made the key that was used, where a member did."""

    event: Event
    reason: str
    sealed_in: int | None
    key_made_by: UUID | None = None


@dataclass(frozen=True, slots=True)
class Verified:
    """What a look along the chain found. `broken` names what does not fit; none means intact."""

    batches: int
    events: int
    unsealed: int
    unreadable: int
    head: str
    broken: tuple[str, ...]


class AuditStore(Protocol):
    """Keeps the trail. All methods raise StoreUnavailable."""

    async def note(self, caller: Caller, deed: Deed, subject: UUID, reason: str) -> None:
        """Adds an event of the caller's, and queues its sealing."""
        ...

    def recording(
        self, caller: Caller, deed: Deed, subject: UUID | None, reason: str
    ) -> AbstractAsyncContextManager[None]:
        """Adds an event of the caller's to the transaction of what happens within; after it, where
        nothing was written. What stores a new thing names the subject (`recording.about`)."""
        ...

    async def note_done(self, tenant: UUID, member: UUID, deed: Deed, subject: UUID) -> None:
        """Adds an event that nobody did in person."""
        ...

    async def events(self, tenant: UUID, before: UUID | None, most: int) -> list[ListedEvent]:
        """Events, newest first, from before one of them."""
        ...

    async def seal_next(self, tenant: UUID, at: datetime, most: int) -> int:
        """Seals the next batch of a tenant's events; tells how many it held."""
        ...

    async def seals(self, tenant: UUID, after: int, most: int) -> list[Seal]:
        """The batches after the one of a number, in order."""
        ...

    async def batch(self, tenant: UUID, number: int) -> tuple[list[Event], int, list[UUID]]:
        """The events of a batch in order, how many reasons nobody can read any more, and which
        reasons are not what was sealed."""
        ...

    async def unsealed(self, tenant: UUID) -> int:
        """How many events wait to be sealed."""
        ...

    async def chain_key(self, tenant: UUID) -> bytes:
        """The tenant's key for the chain; nobody makes a chain that fits without it."""
        ...

    async def last_head(self, tenant: UUID) -> Head | None:
        """The last batch in the trail itself."""
        ...

    async def digest_of(self, tenant: UUID, number: int) -> bytes | None:
        """The digest of a batch; None where there is no such batch."""
        ...


class AuditHeads(Protocol):
    """Records the last batch of each trail apart from the trails, so that whoever cuts off the
    end of one would have to change both. All methods raise StoreUnavailable."""

    async def audit_head(self, tenant: UUID) -> Head | None:
        """The last batch as it was recorded."""
        ...

    async def move_audit_head(self, tenant: UUID, old: Head | None, new: Head) -> bool:
        """Records another, unless the recorded one is not `old` any more."""
        ...


def seal_job(tenant: UUID) -> Job:
    """Seals what is new, one job at a time for each tenant."""
    lock = f"{JobKind.SEAL_AUDIT}:{tenant}"
    return Job(JobKind.SEAL_AUDIT, tenant, tenant, lock=lock, delay_seconds=SEAL_AFTER_SECONDS)


def link(key: bytes, previous: bytes, number: int, events: Sequence[Event]) -> bytes:
    """The digest of a batch, which covers all batches before it."""
    lines = "\n".join(event.text() for event in events)
    content = previous + f"\n{number}\n{len(events)}\n{lines}".encode()
    return hmac.digest(key, content, "sha256")


class AuditTrail:
    def __init__(self, store: AuditStore, heads: AuditHeads, clock: Clock) -> None:
        self._store = store
        self._heads = heads
        self._clock = clock

    async def note(self, caller: Caller, deed: Deed, subject: UUID, reason: str = "") -> None:
        """Enters into the trail what a caller did that stores nothing; see `recording`."""
        await self._store.note(caller, deed, subject, reason)

    def recording(
        self, caller: Caller, deed: Deed, subject: UUID | None = None, reason: str = ""
    ) -> AbstractAsyncContextManager[None]:
        """Enters a change that is made within into the trail, in the same transaction: neither is
        stored without the other. Nothing is entered where it fails."""
        return self._store.recording(caller, deed, subject, reason)

    async def done(self, tenant: UUID, member: UUID, deed: Deed, subject: UUID) -> None:
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
            await self._store.note_done(tenant, NOBODY, Deed.AUDIT_HEAD_SET, tenant)
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

    async def verify(self, tenant: UUID) -> Verified:
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
        return Verified(
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
