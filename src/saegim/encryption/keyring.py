"""Whose key seals what: a key per user, wrapped by the tenant's, wrapped by the master key.

Keys have versions. A new version is known for a while before it seals, so that every process can
open what any other seals; old versions open until nothing that they sealed is left."""

import base64
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from saegim.domain.errors import StoreUnavailable
from saegim.encryption.cipher import (
    KEY_BYTES,
    PURPOSES,
    Cipher,
    FieldLocation,
    Purpose,
    new_key,
    unwrap,
    wrap,
)
from saegim.encryption.key_store import PostgresKeys
from saegim.encryption.master_key import EnvironmentMaster, MasterKey, WrappedKey
from saegim.encryption.types import FIRST_VERSION, NOBODY, KeyDestroyed, KeyName, NoKey, StoredKey

# What was derived from a first key that is gone stands under versions below zero.
DERIVED: Mapping[Purpose, int] = {
    purpose: -number for number, purpose in enumerate(PURPOSES, start=1)
}
REMEMBER_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class CachedKeys:
    """An owner's keys as they are remembered."""

    keys: Mapping[int, bytes]
    stored: Sequence[StoredKey]
    at: float

    def cipher(self, now: float) -> Cipher:
        """The newest version that may seal by now, with all others to open."""
        sealing = max(
            key.version
            for key in self.stored
            if key.version >= FIRST_VERSION
            and (key.active_at is None or key.active_at.timestamp() <= now)
        )
        own = {number: key for number, key in self.keys.items() if number >= FIRST_VERSION}
        derived: dict[Purpose, bytes] = {
            purpose: self.keys[number] for purpose, number in DERIVED.items() if number in self.keys
        }
        return Cipher(own[sealing], sealing, own, derived)


class Keyring:
    """Gives each user and tenant their cipher, making the key on first use.

    What is remembered is looked up again after a moment, which is how long a new version must be
    known before it seals, and how long a destroyed key may live on in some process."""

    def __init__(
        self,
        master: bytes | MasterKey,
        store: PostgresKeys,
        remembered: int = 10_000,
        remember_seconds: float = REMEMBER_SECONDS,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._master = EnvironmentMaster(master) if isinstance(master, bytes) else master
        self._store = store
        self._remembered = remembered
        self.remember_seconds = remember_seconds
        self._now = now
        self._cache: OrderedDict[tuple[UUID, UUID], CachedKeys] = OrderedDict()

    @property
    def master(self) -> MasterKey:
        return self._master

    @property
    def store(self) -> PostgresKeys:
        return self._store

    async def user(self, tenant: UUID, user: UUID) -> Cipher:
        """The cipher for what a user said and all derived from it."""
        return (await self.keys_of(tenant, user)).cipher(self._now())

    async def tenant(self, tenant: UUID) -> Cipher:
        """The cipher for look-ups that span a tenant's users."""
        return (await self.keys_of(tenant, NOBODY)).cipher(self._now())

    async def existing_tenant(self, tenant: UUID) -> Cipher | None:
        """The tenant's cipher, or None where the tenant has no key. Never makes a key, so it is
        safe for a tenant id that an anonymous request names."""
        try:
            return (await self.keys_of(tenant, NOBODY, make=False)).cipher(self._now())
        except NoKey:
            return None

    def has_cached(self, tenant: UUID) -> bool:
        """Whether the tenant's key is in the cache of this process."""
        return (tenant, NOBODY) in self._cache

    def forget(self, tenant: UUID, owner: UUID) -> None:
        """Drops what is remembered of an owner whose keys were destroyed."""
        self._cache.pop((tenant, owner), None)

    async def keys_of(self, tenant: UUID, owner: UUID, *, make: bool = True) -> CachedKeys:
        """An owner's keys; while the keyring is away, as they were last known. Raises NoKey where
        there are none and none are to be made."""
        known = self._cache.get((tenant, owner))
        if known is not None and self._now() - known.at < self.remember_seconds:
            return known
        try:
            return await self.refresh(tenant, owner, make=make)
        except StoreUnavailable:
            if known is None:
                raise
            return known

    async def refresh(self, tenant: UUID, owner: UUID, *, make: bool = True) -> CachedKeys:
        """An owner's keys as they are stored now; what was remembered stays until then."""
        try:
            found = await self._look_up(tenant, owner, make=make)
        except KeyDestroyed:
            self.forget(tenant, owner)
            raise
        self._cache[tenant, owner] = found
        self._cache.move_to_end((tenant, owner))
        if len(self._cache) > self._remembered:
            self._cache.popitem(last=False)
        return found

    async def _look_up(self, tenant: UUID, owner: UUID, *, make: bool) -> CachedKeys:
        stored = await self._store.find(tenant, owner)
        if not any(key.version >= FIRST_VERSION for key in stored):
            if not make:
                raise NoKey
            place = place_of(KeyName(tenant, owner, FIRST_VERSION))
            made = await self.wrap_for(tenant, owner, new_key(), place)
            first = StoredKey(FIRST_VERSION, made.content, made.outer)
            await self._store.put_if_absent(tenant, owner, first)
            stored = await self._store.find(tenant, owner)
        keys = {key.version: await self._unwrap(tenant, owner, key) for key in stored}
        return CachedKeys(keys, stored, self._now())

    async def wrap_for(
        self, tenant: UUID, owner: UUID, key: bytes, place: FieldLocation
    ) -> WrappedKey:
        """A key, wrapped by the newest of what wraps its owner's."""
        if owner == NOBODY:
            return await self._master.wrap(key, place)
        above = await self.keys_of(tenant, NOBODY)
        version = above.cipher(self._now()).version
        return WrappedKey(wrap(above.keys[version], key, place), outer_name(version))

    async def _unwrap(self, tenant: UUID, owner: UUID, key: StoredKey) -> bytes:
        place = place_of(KeyName(tenant, owner, key.version))
        if owner == NOBODY:
            return await self._master.unwrap(key.wrapped, key.outer, place)
        version = version_in(key.outer)
        above = await self.keys_of(tenant, NOBODY)
        if version not in above.keys:
            # Wrapped anew a moment ago: the tenant's newest key is looked up.
            above = await self.refresh(tenant, NOBODY)
        return unwrap(above.keys[version], key.wrapped, place)


def outer_name(version: int) -> str:
    """Names a version of the tenant's key as what wraps a user's."""
    return f"tenant:{version}"


def version_in(outer: str | None) -> int:
    return FIRST_VERSION if outer is None else int(outer.removeprefix("tenant:"))


def place_of(name: KeyName) -> FieldLocation:
    """Where a wrapped key stands; moved to another tenant or owner it does not open."""
    return FieldLocation(f"key:{name.tenant.hex}:{name.version}", name.owner)


def moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def parse_master_key(text: str) -> bytes:
    """A master key from its base64 form; anything but 32 bytes is refused."""
    try:
        key = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise ValueError("the master key is not base64") from error
    if len(key) != KEY_BYTES:
        raise ValueError(f"the master key has {len(key)} bytes instead of {KEY_BYTES}")
    return key


def format_master_key(key: bytes) -> str:
    return base64.b64encode(key).decode()
