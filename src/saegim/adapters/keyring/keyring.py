"""Whose key seals what: a key per user, wrapped by the tenant's, wrapped by the master key."""

import base64
from collections import OrderedDict
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from saegim.adapters.keyring.cipher import KEY_BYTES, Cipher, Place, new_key, unwrap, wrap

NOBODY = UUID(int=0)
FIRST_VERSION = 1


class KeyDestroyed(Exception):
    """The owner was erased: nothing that this key sealed will be read again."""


@dataclass(frozen=True, slots=True)
class KeyName:
    """Names a key; the tenant's own has nobody as its owner."""

    tenant: UUID
    owner: UUID
    version: int


class WrappedKeys(Protocol):
    """Keeps wrapped keys, apart from the data they seal."""

    async def find(self, name: KeyName) -> bytes | None:
        """The wrapped key, or None if there is none yet; raises KeyDestroyed for a tombstone."""
        ...

    async def put_if_absent(self, name: KeyName, wrapped: bytes) -> bytes:
        """Stores a new key unless another process was first; returns what is stored."""
        ...


class Keyring:
    """Gives each user and tenant their cipher, making the key on first use."""

    def __init__(self, master_key: bytes, store: WrappedKeys, remembered: int = 10_000) -> None:
        self._master = master_key
        self._store = store
        self._remembered = remembered
        self._keys: OrderedDict[KeyName, bytes] = OrderedDict()

    async def user(self, tenant: UUID, user: UUID) -> Cipher:
        """The cipher for what a user said and all derived from it."""
        name = KeyName(tenant, user, FIRST_VERSION)
        key = self._keys.get(name)
        if key is None:
            key = await self._obtain(name, await self._tenant_key(tenant))
        return Cipher(key, FIRST_VERSION)

    async def tenant(self, tenant: UUID) -> Cipher:
        """The cipher for look-ups that span a tenant's users."""
        return Cipher(await self._tenant_key(tenant), FIRST_VERSION)

    async def _tenant_key(self, tenant: UUID) -> bytes:
        name = KeyName(tenant, NOBODY, FIRST_VERSION)
        return self._keys.get(name) or await self._obtain(name, self._master)

    async def _obtain(self, name: KeyName, outer: bytes) -> bytes:
        place = place_of(name)
        wrapped = await self._store.find(name)
        if wrapped is None:
            wrapped = await self._store.put_if_absent(name, wrap(outer, new_key(), place))
        key = unwrap(outer, wrapped, place)
        self._keys[name] = key
        if len(self._keys) > self._remembered:
            self._keys.popitem(last=False)
        return key


def place_of(name: KeyName) -> Place:
    """Where a wrapped key stands; moved to another tenant or owner it does not open."""
    return Place(f"key:{name.tenant.hex}:{name.version}", name.owner)


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
