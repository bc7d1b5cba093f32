"""Rotation of keys while everything serves: a new version is known before it seals, what wraps is
wrapped anew key by key, and an old version goes when nothing that it sealed is left."""

import time
from collections.abc import Callable
from uuid import UUID

from saegim.encryption.cipher import derive, new_key
from saegim.encryption.keyring import DERIVED, Keyring, moment, outer_name, place_of
from saegim.encryption.types import FIRST_VERSION, NOBODY, KeyDestroyed, KeyName, StoredKey

AT_ONCE = 200
# Beyond how long a process remembers keys: clocks differ a little.
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
        """How long until every process knows a new version."""
        return self._keyring.remember_seconds + self._margin

    async def begin(self, tenant: UUID, owner: UUID) -> int:
        """Adds the next version of an owner's key, which seals once every process knows it; tells
        which. One that waits already is the next."""
        cached = await self._keyring.refresh(tenant, owner)
        newest = max(cached.stored, key=lambda key: key.version)
        if newest.active_at is not None and newest.active_at.timestamp() > self._now():
            return newest.version
        for purpose, number in DERIVED.items():
            # What was derived from the first key outlives it.
            if number not in cached.keys:
                derived = derive(cached.keys[FIRST_VERSION], purpose)
                await self._put(tenant, owner, number, derived)
        version = newest.version + 1
        await self._put(tenant, owner, version, new_key(), self._now() + self.settle_seconds)
        await self._keyring.refresh(tenant, owner)
        return version

    async def versions(self, tenant: UUID, owner: UUID) -> tuple[int, ...]:
        """The versions of an owner's key, oldest first; the last may not seal yet."""
        cached = await self._keyring.refresh(tenant, owner)
        return tuple(sorted(each for each in cached.keys if each >= FIRST_VERSION))

    async def retire(self, tenant: UUID, owner: UUID, before: int) -> int:
        """Takes away the versions before one, which sealed nothing that is left; tells how many."""
        old = [each for each in await self.versions(tenant, owner) if each < before]
        for version in old:
            await self._keyring.store.drop(KeyName(tenant, owner, version))
        await self._keyring.refresh(tenant, owner)
        return len(old)

    async def rewrap_users(self, tenant: UUID) -> int:
        """Has the tenant's newest key wrap all its users' keys; tells how many it wrapped anew."""
        outer = outer_name((await self._keyring.tenant(tenant)).version)
        after, count = NOBODY, 0
        while owners := await self._keyring.store.owners(tenant, after, AT_ONCE):
            for owner in owners:
                count += await self._rewrap(tenant, owner, outer)
            after = owners[-1]
        return count

    async def rewrap_tenants(self) -> int:
        """Has the newest master key wrap all tenants' keys; tells how many were wrapped anew."""
        after, count = NOBODY, 0
        while tenants := await self._keyring.store.tenants(after, AT_ONCE):
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
                wrapped = await self._keyring.wrap_for(
                    tenant, owner, cached.keys[key.version], place_of(name)
                )
                count += await self._keyring.store.rewrap(name, key.wrapped, wrapped)
        return count

    async def _put(
        self, tenant: UUID, owner: UUID, version: int, key: bytes, seals_from: float | None = None
    ) -> None:
        place = place_of(KeyName(tenant, owner, version))
        wrapped = await self._keyring.wrap_for(tenant, owner, key, place)
        active_at = None if seals_from is None else moment(seals_from)
        stored = StoredKey(version, wrapped.content, wrapped.outer, active_at)
        await self._keyring.store.put_if_absent(tenant, owner, stored)
