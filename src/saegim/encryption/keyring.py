"""Keys of users, wrapped by their tenant's key, which the master key wraps.

Keys have versions. Every process knows a new version before it encrypts, so that any process can
decrypt what another wrote; old versions stay until nothing is encrypted with them."""

import base64
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from psycopg import AsyncConnection, InterfaceError, OperationalError
from psycopg.errors import UndefinedColumn, UndefinedTable

from saegim.domain.errors import StoreUnavailable
from saegim.encryption.cipher import (
    KEY_BYTES,
    PURPOSES,
    Cipher,
    FieldLocation,
    Purpose,
    SealBroken,
    new_key,
    unwrap,
    wrap,
)
from saegim.encryption.key_store import PostgresKeys
from saegim.encryption.master_key import EnvironmentMaster, MasterKey, WrappedKey
from saegim.encryption.types import FIRST_VERSION, NOBODY, KeyDestroyed, KeyName, NoKey, StoredKey

# Keys derived from a retired first key are stored under negative versions.
DERIVED: Mapping[Purpose, int] = {
    purpose: -number for number, purpose in enumerate(PURPOSES, start=1)
}
REMEMBER_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class CachedKeys:
    keys: Mapping[int, bytes]
    stored: Sequence[StoredKey]
    at: float

    def cipher(self, now: float) -> Cipher:
        """Return a cipher that encrypts with the newest active version and decrypts with all."""
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
    """Returns the cipher of a user or tenant, creating the key on first use.

    `remember_seconds` is the cache lifetime: a new version must be known that long before it
    encrypts, and a destroyed key may stay in a process that long."""

    def __init__(
        self,
        master: bytes | MasterKey,
        store: PostgresKeys,
        remembered: int = 10_000,
        remember_seconds: float = REMEMBER_SECONDS,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.master: MasterKey = EnvironmentMaster(master) if isinstance(master, bytes) else master
        self.store = store
        self._remembered = remembered
        self.remember_seconds = remember_seconds
        self._now = now
        self._cache: OrderedDict[tuple[UUID, UUID], CachedKeys] = OrderedDict()

    async def user(self, tenant: UUID, user: UUID) -> Cipher:
        """Return the cipher for a user's messages and everything derived from them."""
        return (await self.keys_of(tenant, user)).cipher(self._now())

    async def tenant(self, tenant: UUID) -> Cipher:
        """Return the cipher for look-ups across a tenant's users."""
        return (await self.keys_of(tenant, NOBODY)).cipher(self._now())

    async def existing_tenant(self, tenant: UUID) -> Cipher | None:
        """Return the tenant's cipher, or None without a key. Never creates a key, so that it is
        safe for tenant ids in anonymous requests."""
        try:
            return (await self.keys_of(tenant, NOBODY, make=False)).cipher(self._now())
        except NoKey:
            return None

    def has_cached(self, tenant: UUID) -> bool:
        """Whether the tenant's key is in the cache of this process."""
        return (tenant, NOBODY) in self._cache

    def forget(self, tenant: UUID, owner: UUID) -> None:
        """Drop an owner whose keys were destroyed from the cache."""
        self._cache.pop((tenant, owner), None)

    async def keys_of(self, tenant: UUID, owner: UUID, *, make: bool = True) -> CachedKeys:
        """Return an owner's keys, cached or, while the keyring is unavailable, expired ones.

        Raises NoKey if there are none and `make` is false."""
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
        """Fetch an owner's keys into the cache."""
        try:
            fetched = await self._look_up(tenant, owner, make=make)
        except KeyDestroyed:
            self.forget(tenant, owner)
            raise
        self._cache[tenant, owner] = fetched
        self._cache.move_to_end((tenant, owner))
        if len(self._cache) > self._remembered:
            self._cache.popitem(last=False)
        return fetched

    async def _look_up(self, tenant: UUID, owner: UUID, *, make: bool) -> CachedKeys:
        stored = await self.store.find(tenant, owner)
        if not any(key.version >= FIRST_VERSION for key in stored):
            if not make:
                raise NoKey
            await self.put(KeyName(tenant, owner, FIRST_VERSION), new_key())
            stored = await self.store.find(tenant, owner)
        keys = {key.version: await self._unwrap(tenant, owner, key) for key in stored}
        return CachedKeys(keys, stored, self._now())

    async def put(self, name: KeyName, key: bytes, active_at: datetime | None = None) -> None:
        """Wrap and store a key unless there is one of this name."""
        wrapped = await self.wrap(name, key)
        stored = StoredKey(name.version, wrapped.content, wrapped.outer, active_at)
        await self.store.put_if_absent(name.tenant, name.owner, stored)

    async def wrap(self, name: KeyName, key: bytes) -> WrappedKey:
        """Wrap a key with the master key or the tenant's newest."""
        place = place_of(name)
        if name.owner == NOBODY:
            return await self.master.wrap(key, place)
        outer = await self.keys_of(name.tenant, NOBODY)
        version = outer.cipher(self._now()).version
        return WrappedKey(wrap(outer.keys[version], key, place), outer_name(version))

    async def _unwrap(self, tenant: UUID, owner: UUID, key: StoredKey) -> bytes:
        place = place_of(KeyName(tenant, owner, key.version))
        if owner == NOBODY:
            return await self.master.unwrap(key.wrapped, key.outer, place)
        version = version_in(key.outer)
        outer = await self.keys_of(tenant, NOBODY)
        if version not in outer.keys:
            # Just rewrapped by another process: fetch the tenant's newest key.
            outer = await self.refresh(tenant, NOBODY)
        return unwrap(outer.keys[version], key.wrapped, place)


def outer_name(version: int) -> str:
    """Return the name of a version of the tenant's key as wrapping key."""
    return f"tenant:{version}"


def version_in(outer: str | None) -> int:
    return FIRST_VERSION if outer is None else int(outer.removeprefix("tenant:"))


def place_of(name: KeyName) -> FieldLocation:
    """Return the location that binds a wrapped key to its tenant and owner."""
    return FieldLocation(f"key:{name.tenant.hex}:{name.version}", name.owner)


def moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def parse_master_key(text: str) -> bytes:
    """Decode a base64 master key. Raises ValueError for anything but 32 bytes."""
    try:
        key = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise ValueError("the master key is not base64") from error
    if len(key) != KEY_BYTES:
        raise ValueError(f"the master key has {len(key)} bytes instead of {KEY_BYTES}")
    return key


def format_master_key(key: bytes) -> str:
    return base64.b64encode(key).decode()


CONNECT_SECONDS = 2
IDENTITY = b"select system_identifier from pg_control_system()"
COUNT = b"select count(wrapped) from wrapped_key"
ONE_TENANT = b"""
select tenant_id, version, wrapped, outer_name from wrapped_key
where owner_id = %s and wrapped is not null limit 1
"""


@dataclass(frozen=True, slots=True)
class KeyringHealth:
    """The state of the keyring; `opens` is None while it is empty."""

    server: int
    keys: int
    opens: bool | None


async def look(url: str, master: MasterKey) -> KeyringHealth:
    """Check the keyring without creating a key. Raises StoreUnavailable."""
    try:
        async with await AsyncConnection.connect(url, connect_timeout=CONNECT_SECONDS) as keyring:
            server = await _number(keyring, IDENTITY)
            keys = await _number(keyring, COUNT)
            row = await (await keyring.execute(ONE_TENANT, (NOBODY,))).fetchone()
    except (UndefinedTable, UndefinedColumn) as missing:
        raise StoreUnavailable("the keyring has no table yet: run `saegim migrate`") from missing
    except (OperationalError, InterfaceError) as outage:
        raise StoreUnavailable from outage
    if row is None:
        return KeyringHealth(server, keys, None)
    tenant, version, wrapped, outer = row
    try:
        await master.unwrap(bytes(wrapped), outer, place_of(KeyName(tenant, NOBODY, version)))
    except SealBroken:
        return KeyringHealth(server, keys, opens=False)
    return KeyringHealth(server, keys, opens=True)


async def _number(connection: AsyncConnection, statement: bytes) -> int:
    row = await (await connection.execute(statement)).fetchone()
    assert row is not None, "the query returns one row"
    return int(row[0])
