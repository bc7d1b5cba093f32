"""Erasure on request: the key first, then every store and the search index, then a signed receipt
of what was found.

Who asks to be erased has a grace period, in which nothing changes and the request can be cancelled.
Erasing somebody else begins at once."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from saegim.auth.credential_repository import PostgresMembers
from saegim.auth.grants import GRANTS, Grants
from saegim.domain.errors import Conflict, Invalid, NotFound
from saegim.domain.ids import Clock
from saegim.domain.policy import Permission, allows, require
from saegim.domain.scope import Caller
from saegim.governance.erasure.repository import PostgresErasure
from saegim.governance.erasure.types import Erasure, ErasureRequest, ErasureState, SweepResult
from saegim.library.index.maintenance import IndexMaintenance

RECEIPT_FORM = "saegim-erasure-receipt-1"


ENDED = (ErasureState.DONE, ErasureState.CANCELLED)


@dataclass(frozen=True, slots=True)
class ErasureStores:
    """Where an erasure removes: the stores and the search index."""

    store: PostgresErasure
    members: PostgresMembers
    index: IndexMaintenance


@dataclass(frozen=True, slots=True)
class ErasureTimes:
    """`grace` is how long who asked to be erased can cancel. `backups_for` is how long backups are
    kept, after which none holds the person's rows."""

    grace: timedelta
    backups_for: timedelta


class Erasures:
    def __init__(
        self,
        places: ErasureStores,
        clock: Clock,
        times: ErasureTimes,
        grants: Grants = GRANTS,
    ) -> None:
        self._store = places.store
        self._members = places.members
        self._index = places.index
        self._grants = grants
        self._clock = clock
        self._times = times

    async def ask(self, caller: Caller, subject: UUID, reason: str) -> Erasure:
        """Asks for oneself, after the grace period, or with a reason for somebody else, at once."""
        now = self._clock.now()
        runs_at = now
        if subject == caller.scope.user:
            require(caller, Permission.ERASE_SELF)
            runs_at += self._times.grace
        else:
            require(caller, Permission.ERASE_OTHERS)
            if not reason.strip():
                raise Invalid("a reason is required to erase another user")
            await self._covers(caller, subject)
        return await self._store.ask(ErasureRequest(caller, subject, reason, now, runs_at))

    async def cancel(self, caller: Caller, erasure: UUID) -> Erasure:
        """Cancels one's own erasure in its grace period, or any for those who may erase its person.
        Raises NotFound, and Conflict where it has begun."""
        found = await self.find(caller, erasure)
        if found.member == caller.scope.user:
            require(caller, Permission.ERASE_SELF)
        else:
            require(caller, Permission.ERASE_OTHERS)
            await self._covers(caller, found.member)
        if not await self._store.cancel(caller, found):
            raise Conflict("the erasure has already started or was cancelled")
        return replace(found, state=ErasureState.CANCELLED)

    async def find(self, caller: Caller, erasure: UUID) -> Erasure:
        """A request of one's own, or any for those who may erase others. Raises NotFound."""
        found = await self._store.find(caller.scope.tenant, erasure)
        if found is None:
            raise NotFound("erasure")
        own = caller.scope.user in (found.member, found.requested_by)
        if not own and not allows(caller, Permission.ERASE_OTHERS):
            raise NotFound("erasure")
        return found

    async def list(self, caller: Caller, before: UUID | None, most: int) -> list[Erasure]:
        """So many requests, newest first, from after the given one: all of the tenant for those who
        may erase others, else those about the caller."""
        everybody = allows(caller, Permission.ERASE_OTHERS)
        member = None if everybody else caller.scope.user
        return await self._store.list(caller.scope.tenant, member, before, most)

    async def planned(self, caller: Caller) -> Erasure | None:
        """The caller's own erasure that can still be cancelled."""
        tenant, user = caller.scope.tenant, caller.scope.user
        newest = await self._store.list(tenant, user, None, 1)
        return next((each for each in newest if each.state is ErasureState.PLANNED), None)

    async def _covers(self, caller: Caller, member: UUID) -> None:
        target = await self._members.standings(caller.scope.tenant, member, self._clock.now())
        self._grants.erase(caller, target)

    async def erase(self, tenant: UUID, subject: UUID) -> None:
        """The job: after the grace period destroys the key; once no process remembers it, sweeps,
        has the index forget, and signs. Does nothing for a request that was cancelled."""
        found = await self._store.find(tenant, subject)
        if found is None or found.state in ENDED:
            return
        now = self._clock.now()
        if found.state is ErasureState.PLANNED and not await self._store.begin(found, now):
            return
        if found.state in (ErasureState.PLANNED, ErasureState.STARTED):
            await self._store.destroy_key(found, now)
            return
        swept = await self._store.sweep(found)
        if swept.counts["index"]["passages"]:
            await self._index.forget(tenant)
        now = self._clock.now()
        receipt = self._receipt(found, swept, now)
        private = Ed25519PrivateKey.from_private_bytes(await self._store.signing_seed(tenant))
        await self._store.close(found, receipt, private.sign(signed_bytes(receipt)), now)

    async def public_key(self, tenant: UUID) -> bytes:
        """With this anybody can check the tenant's receipts."""
        private = Ed25519PrivateKey.from_private_bytes(await self._store.signing_seed(tenant))
        return private.public_key().public_bytes_raw()

    def _receipt(self, erasure: Erasure, swept: SweepResult, now: datetime) -> dict[str, Any]:
        assert erasure.key_destroyed_at is not None, "the key goes first"
        last_backup = erasure.key_destroyed_at + self._times.backups_for
        return {
            "form": RECEIPT_FORM,
            "erasure_id": str(erasure.id),
            "tenant_id": str(erasure.tenant),
            "member_id": str(erasure.member),
            "requested_by": str(erasure.requested_by),
            "requested_at": erasure.requested_at.isoformat(),
            "key_destroyed_at": erasure.key_destroyed_at.isoformat(),
            "done_at": now.isoformat(),
            "removed": {store: dict(counts) for store, counts in swept.counts.items()},
            "kept": {what: dict(why) for what, why in swept.kept.items()},
            "last_backup_expires_at": last_backup.isoformat(),
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
