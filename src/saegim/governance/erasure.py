"""Erasure on request: the key first, then every store and the search index, then a signed receipt
of what was found."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Protocol
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from saegim.access.grants import GRANTS, Grants
from saegim.access.policy import Permission, require
from saegim.access.ports import MemberStore
from saegim.domain.clock import Clock
from saegim.domain.errors import Invalid, NotFound
from saegim.domain.jobs import Job, JobKind
from saegim.domain.scope import Caller
from saegim.governance.audit import AuditTrail, Deed

RECEIPT_FORM = "saegim-erasure-receipt-1"


class ErasureState(StrEnum):
    ASKED = "asked"
    KEY_DESTROYED = "key_destroyed"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Erasure:
    """A request to erase a person, and how far it is."""

    id: UUID
    tenant: UUID
    member: UUID
    asked_by: UUID
    state: ErasureState
    asked_at: datetime
    key_destroyed_at: datetime | None = None
    done_at: datetime | None = None
    receipt: Mapping[str, Any] | None = None
    signature: bytes | None = None


@dataclass(frozen=True, slots=True)
class Swept:
    """What was taken away, by store and kind, and what was kept, with the reason."""

    counts: Mapping[str, Mapping[str, int]]
    kept: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, dict[str, Any]])


class ErasedIndex(Protocol):
    """The search index of documents. Raises Degraded."""

    async def forget(self, tenant: UUID) -> None:
        """Takes what is gone from the record out of the index and off its disk."""
        ...


class ErasureStore(Protocol):
    """Reaches every store. All methods raise Unavailable."""

    async def ask(self, caller: Caller, member: UUID, reason: str, at: datetime) -> Erasure:
        """Stores a request, locks the member out and queues the work; the one that is on its way
        already is given back. Raises NotFound."""
        ...

    async def find(self, tenant: UUID, erasure: UUID) -> Erasure | None:
        """A request."""
        ...

    async def list(self, tenant: UUID, before: UUID | None, most: int) -> list[Erasure]:
        """So many requests of a tenant, newest first, from after the given one."""
        ...

    async def destroy_key(self, erasure: Erasure, at: datetime) -> float:
        """Stops the person's turns, destroys the key, and queues the rest for when no process
        remembers it any more; tells in how many seconds that is."""
        ...

    async def sweep(self, erasure: Erasure) -> Swept:
        """Takes away everything in every store, and counts it. Run again, it gives the same."""
        ...

    async def close(
        self, erasure: Erasure, receipt: Mapping[str, Any], signature: bytes, at: datetime
    ) -> None:
        """Stores the receipt."""
        ...

    async def signing_seed(self, tenant: UUID) -> bytes:
        """32 bytes of the tenant's, for signing receipts."""
        ...


def erase_job(tenant: UUID, erasure: UUID, delay: float = 0.0, lock: str | None = None) -> Job:
    """One at a time for each request, or for each lock."""
    lock = lock or f"{JobKind.ERASE}:{tenant}:{erasure}"
    return Job(JobKind.ERASE, tenant, erasure, lock=lock, delay_seconds=delay)


@dataclass(frozen=True, slots=True)
class ErasedPlaces:
    """Where an erasure removes: the stores and the search index."""

    store: ErasureStore
    members: MemberStore
    index: ErasedIndex


class Erasures:
    """`backups_for` is how long backups are kept, after which none holds the person's rows."""

    def __init__(
        self,
        places: ErasedPlaces,
        trail: AuditTrail,
        clock: Clock,
        backups_for: timedelta,
        grants: Grants = GRANTS,
    ) -> None:
        self._store = places.store
        self._members = places.members
        self._index = places.index
        self._grants = grants
        self._trail = trail
        self._clock = clock
        self._backups_for = backups_for

    async def ask(self, caller: Caller, member: UUID | None, reason: str) -> Erasure:
        """Asks for oneself, or with a reason for somebody else."""
        subject = member or caller.scope.user
        if subject == caller.scope.user:
            require(caller, Permission.ERASE_SELF)
        else:
            require(caller, Permission.ERASE_OTHERS)
            if not reason.strip():
                raise Invalid("say why this person is to be erased")
            target = await self._members.standings(caller.scope.tenant, subject, self._clock.now())
            self._grants.erase(caller, target)
        asked = await self._store.ask(caller, subject, reason, self._clock.now())
        await self._trail.note(caller, Deed.ERASURE_ASKED, subject, reason)
        return asked

    async def find(self, caller: Caller, erasure: UUID) -> Erasure:
        """A request of one's own, or any for those who may erase others. Raises NotFound."""
        found = await self._store.find(caller.scope.tenant, erasure)
        if found is None:
            raise NotFound("erasure")
        if found.asked_by != caller.scope.user:
            require(caller, Permission.ERASE_OTHERS)
        return found

    async def list(self, caller: Caller, before: UUID | None, most: int) -> list[Erasure]:
        """So many requests of the tenant, newest first, from after the given one."""
        require(caller, Permission.ERASE_OTHERS)
        return await self._store.list(caller.scope.tenant, before, most)

    async def erase(self, tenant: UUID, subject: UUID) -> None:
        """The job: destroys the key; once no process remembers it, sweeps, has the index forget,
        and signs."""
        found = await self._store.find(tenant, subject)
        if found is None or found.state is ErasureState.DONE:
            return
        if found.state is ErasureState.ASKED:
            await self._store.destroy_key(found, self._clock.now())
            return
        swept = await self._store.sweep(found)
        if swept.counts["index"]["passages"]:
            await self._index.forget(tenant)
        now = self._clock.now()
        receipt = self._receipt(found, swept, now)
        private = Ed25519PrivateKey.from_private_bytes(await self._store.signing_seed(tenant))
        await self._store.close(found, receipt, private.sign(signed_bytes(receipt)), now)
        await self._trail.done(tenant, found.member, Deed.ERASED, found.id)

    async def public_key(self, tenant: UUID) -> bytes:
        """With this anybody can check the tenant's receipts."""
        private = Ed25519PrivateKey.from_private_bytes(await self._store.signing_seed(tenant))
        return private.public_key().public_bytes_raw()

    def _receipt(self, erasure: Erasure, swept: Swept, now: datetime) -> dict[str, Any]:
        assert erasure.key_destroyed_at is not None, "the key goes first"
        return {
            "form": RECEIPT_FORM,
            "erasure_id": str(erasure.id),
            "tenant_id": str(erasure.tenant),
            "member_id": str(erasure.member),
            "asked_by": str(erasure.asked_by),
            "asked_at": erasure.asked_at.isoformat(),
            "key_destroyed_at": erasure.key_destroyed_at.isoformat(),
            "done_at": now.isoformat(),
            "removed": {store: dict(counts) for store, counts in swept.counts.items()},
            "kept": {what: dict(why) for what, why in swept.kept.items()},
            "last_backup_expires_at": (erasure.key_destroyed_at + self._backups_for).isoformat(),
        }


def signed_bytes(receipt: Mapping[str, Any]) -> bytes:
    """A receipt in the one form that is signed."""
    return json.dumps(receipt, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def genuine(receipt: Mapping[str, Any], signature: bytes, public_key: bytes) -> bool:
    """Whether the tenant signed this receipt as it stands."""
    try:
        key = Ed25519PublicKey.from_public_bytes(public_key)
        key.verify(signature, signed_bytes(receipt))
    except (InvalidSignature, ValueError):
        return False
    return True
