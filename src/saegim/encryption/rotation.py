"""Rotate keys without downtime.

Every process knows a new version before it encrypts; keys are rewrapped one by one; an old version
is deleted once nothing is encrypted with it."""

import time
from collections.abc import Callable
from uuid import UUID

from saegim.encryption.cipher import derive, new_key
from saegim.encryption.keyring import DERIVED, Keyring, moment, outer_name
from saegim.encryption.types import FIRST_VERSION, NOBODY, KeyDestroyed, KeyName

PAGE = 200
# Added to the cache lifetime, for clock differences.
MARGIN_SECONDS = 5.0


class KeyRotation:
    def __init__(
        self,
        keyring: Keyring,
        now: Callable[[], float] = time.time,
        margin: float = MARGIN_SECONDS,
    ) -> None:
        self._keyring = keyring
        self._now = now
        self._margin = margin

    @property
    def settle_seconds(self) -> float:
        """Seconds until every process knows a new version."""
        return self._keyring.remember_seconds + self._margin

    async def begin(self, tenant: UUID, owner: UUID) -> int:
        """Add the next version of an owner's key and return it; a version not yet in use counts.

        It encrypts once every process knows it."""
        cached = await self._keyring.refresh(tenant, owner)
        newest = max(cached.stored, key=lambda key: key.version)
        if newest.active_at is not None and newest.active_at.timestamp() > self._now():
            return newest.version
        for purpose, number in DERIVED.items():
            # Keys derived from the first key outlive it.
            if number not in cached.keys:
                derived = derive(cached.keys[FIRST_VERSION], purpose)
                await self._keyring.put(KeyName(tenant, owner, number), derived)
        version = newest.version + 1
        active_at = moment(self._now() + self.settle_seconds)
        await self._keyring.put(KeyName(tenant, owner, version), new_key(), active_at)
        await self._keyring.refresh(tenant, owner)
        return version

    async def versions(self, tenant: UUID, owner: UUID) -> tuple[int, ...]:
        """Return the versions of an owner's key, oldest first; the last may not encrypt yet."""
        cached = await self._keyring.refresh(tenant, owner)
        return tuple(sorted(each for each in cached.keys if each >= FIRST_VERSION))

    async def retire(self, tenant: UUID, owner: UUID, before: int) -> int:
        """Delete the versions before one, which nothing uses, and return how many."""
        old = [each for each in await self.versions(tenant, owner) if each < before]
        for version in old:
            await self._keyring.store.drop(KeyName(tenant, owner, version))
        await self._keyring.refresh(tenant, owner)
        return len(old)

    async def rewrap_users(self, tenant: UUID) -> int:
        """Rewrap all users' keys with the tenant's newest key, and return how many."""
        outer = outer_name((await self._keyring.tenant(tenant)).version)
        after, count = NOBODY, 0
        while owners := await self._keyring.store.owners(tenant, after, PAGE):
            for owner in owners:
                count += await self._rewrap(tenant, owner, outer)
            after = owners[-1]
        return count

    async def rewrap_tenants(self) -> int:
        """Rewrap all tenants' keys with the newest master key, and return how many."""
        after, count = NOBODY, 0
        while tenants := await self._keyring.store.tenants(after, PAGE):
            for tenant in tenants:
                count += await self._rewrap(tenant, NOBODY, self._keyring.master.id)
            after = tenants[-1]
        return count

    async def _rewrap(self, tenant: UUID, owner: UUID, outer: str) -> int:
        try:
            cached = await self._keyring.refresh(tenant, owner)
        except KeyDestroyed:
            return 0
        count = 0
        for key in cached.stored:
            if key.outer != outer:
                name = KeyName(tenant, owner, key.version)
                wrapped = await self._keyring.wrap(name, cached.keys[key.version])
                count += await self._keyring.store.rewrap(name, key.wrapped, wrapped)
        return count
