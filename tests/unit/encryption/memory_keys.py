"""Wrapped keys in memory, with a switch for when the keyring is away."""

from uuid import UUID

from saegim.domain.errors import StoreUnavailable
from saegim.encryption.key_store import PostgresKeys
from saegim.encryption.master_key import WrappedKey
from saegim.encryption.types import KeyDestroyed, KeyName, StoredKey

NOBODY = UUID(int=0)


class MemoryKeys(PostgresKeys):
    def __init__(self) -> None:
        self.stored: dict[tuple[UUID, UUID, int], StoredKey] = {}
        self.destroyed: set[tuple[UUID, UUID]] = set()
        self.away = False

    async def find(self, tenant: UUID, owner: UUID) -> list[StoredKey]:
        if self.away:
            raise StoreUnavailable
        if (tenant, owner) in self.destroyed:
            raise KeyDestroyed("the key was destroyed")
        return [key for name, key in sorted(self.stored.items()) if name[:2] == (tenant, owner)]

    async def put_if_absent(self, tenant: UUID, owner: UUID, key: StoredKey) -> None:
        self.stored.setdefault((tenant, owner, key.version), key)

    async def rewrap(self, name: KeyName, old: bytes, new: WrappedKey) -> bool:
        place = (name.tenant, name.owner, name.version)
        before = self.stored[place]
        if before.wrapped != old:
            return False
        self.stored[place] = StoredKey(name.version, new.content, new.outer, before.active_at)
        return True

    async def drop(self, name: KeyName) -> None:
        self.stored.pop((name.tenant, name.owner, name.version), None)

    async def destroy(self, tenant: UUID, owner: UUID) -> None:
        self.destroyed.add((tenant, owner))
        self.stored = {
            name: key for name, key in self.stored.items() if name[:2] != (tenant, owner)
        }

    async def tombstones(self, tenant: UUID) -> list[UUID]:
        return sorted(owner for found, owner in self.destroyed if found == tenant)

    async def owners(self, tenant: UUID, after: UUID, most: int) -> list[UUID]:
        found = {name[1] for name in self.stored if name[0] == tenant and name[1] > after}
        return sorted(found)[:most]

    async def unused_tenants(self, after: UUID, most: int) -> list[UUID]:
        return [each for each in await self.tenants(after, most) if not self._users(each)]

    async def drop_unused_tenant(self, tenant: UUID) -> bool:
        if self._users(tenant):
            return False
        names = [name for name in self.stored if name[0] == tenant]
        for name in names:
            del self.stored[name]
        return bool(names)

    def _users(self, tenant: UUID) -> set[UUID]:
        return {owner for found, owner, _ in self.stored if found == tenant} - {NOBODY}

    async def tenants(self, after: UUID, most: int) -> list[UUID]:
        return sorted({name[0] for name in self.stored if name[0] > after})[:most]
