"""Erasure on request: destroy the key, sweep every store and the search index, sign a receipt.

Users who erase themselves have a grace period in which they can cancel. Erasing another user
starts at once."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from saegim.auth.credential_repository import PostgresMembers
from saegim.auth.grants import GRANTS, Grants
from saegim.domain.errors import Conflict, Invalid, NotFound
from saegim.domain.ids import Clock
from saegim.domain.policy import Permission, allows, require
from saegim.domain.scope import Caller
from saegim.governance.erasure.repository import PostgresErasure
from saegim.governance.erasure.types import Erasure, ErasureRequest, ErasureState
from saegim.library.index.maintenance import IndexMaintenance

RECEIPT_FORM = "saegim-erasure-receipt-1"
ENDED = (ErasureState.DONE, ErasureState.CANCELLED)


@dataclass(frozen=True, kw_only=True, eq=False)
class Erasures:
    """`grace`: how long users can cancel their own erasure. `backups_for`: how long backups are
    kept; after that none holds the user's rows."""

    store: PostgresErasure
    members: PostgresMembers
    index: IndexMaintenance
    clock: Clock
    grace: timedelta
    backups_for: timedelta
    grants: Grants = GRANTS

    async def ask(self, caller: Caller, subject: UUID, reason: str) -> Erasure:
        """Request one's own erasure after the grace period, or another user's at once."""
        now = self.clock.now()
        runs_at = now
        if subject == caller.scope.user:
            require(caller, Permission.ERASE_SELF)
            runs_at += self.grace
        else:
            require(caller, Permission.ERASE_OTHERS)
            if not reason.strip():
                raise Invalid("a reason is required to erase another user")
            await self._require_erasable(caller, subject)
        return await self.store.ask(ErasureRequest(caller, subject, reason, now, runs_at))

    async def cancel(self, caller: Caller, erasure: UUID) -> Erasure:
        """Cancel one's own planned erasure, or that of a user one may erase.

        Raises NotFound, and Conflict if it has started."""
        request = await self.find(caller, erasure)
        if request.member == caller.scope.user:
            require(caller, Permission.ERASE_SELF)
        else:
            require(caller, Permission.ERASE_OTHERS)
            await self._require_erasable(caller, request.member)
        if not await self.store.cancel(caller, request):
            raise Conflict("the erasure has already started or was cancelled")
        return replace(request, state=ErasureState.CANCELLED)

    async def find(self, caller: Caller, erasure: UUID) -> Erasure:
        """Return one's own request, or any with the permission. Raises NotFound."""
        request = await self.store.find(caller.scope.tenant, erasure)
        if request is None:
            raise NotFound("erasure")
        is_own = caller.scope.user in (request.member, request.requested_by)
        if not is_own and not allows(caller, Permission.ERASE_OTHERS):
            raise NotFound("erasure")
        return request

    async def list(self, caller: Caller, before: UUID | None, most: int) -> list[Erasure]:
        """Return requests, newest first: the caller's own, or all with the permission."""
        member = None if allows(caller, Permission.ERASE_OTHERS) else caller.scope.user
        return await self.store.list(caller.scope.tenant, member, before, most)

    async def _require_erasable(self, caller: Caller, member: UUID) -> None:
        target = await self.members.standings(caller.scope.tenant, member, self.clock.now())
        self.grants.erase(caller, target)

    async def erase(self, tenant: UUID, subject: UUID) -> None:
        """Run the job: destroy the key; once no process caches it, sweep and sign the receipt.

        Does nothing for a cancelled request."""
        request = await self.store.find(tenant, subject)
        if request is None or request.state in ENDED:
            return
        now = self.clock.now()
        if request.state is ErasureState.PLANNED and not await self.store.begin(request, now):
            return
        if request.state in (ErasureState.PLANNED, ErasureState.STARTED):
            await self.store.destroy_key(request, now)
            return
        swept = await self.store.sweep(request)
        if swept["removed"]["index"]["passages"]:
            await self.index.forget(tenant)
        now = self.clock.now()
        receipt = self._receipt(request, swept, now)
        private = Ed25519PrivateKey.from_private_bytes(await self.store.signing_seed(tenant))
        await self.store.close(request, receipt, private.sign(signed_bytes(receipt)), now)

    async def public_key(self, tenant: UUID) -> bytes:
        """Return the key that verifies the tenant's receipts."""
        private = Ed25519PrivateKey.from_private_bytes(await self.store.signing_seed(tenant))
        return private.public_key().public_bytes_raw()

    def _receipt(self, erasure: Erasure, swept: Mapping[str, Any], now: datetime) -> dict[str, Any]:
        assert erasure.key_destroyed_at is not None, "the key is destroyed first"
        last_backup = erasure.key_destroyed_at + self.backups_for
        return {
            "form": RECEIPT_FORM,
            "erasure_id": str(erasure.id),
            "tenant_id": str(erasure.tenant),
            "member_id": str(erasure.member),
            "requested_by": str(erasure.requested_by),
            "requested_at": erasure.requested_at.isoformat(),
            "key_destroyed_at": erasure.key_destroyed_at.isoformat(),
            "done_at": now.isoformat(),
            "removed": swept["removed"],
            "kept": swept["kept"],
            "last_backup_expires_at": last_backup.isoformat(),
        }


def signed_bytes(receipt: Mapping[str, Any]) -> bytes:
    """Return the canonical bytes of a receipt."""
    return json.dumps(receipt, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
