"""Master keys, which wrap the tenants' keys: from the environment or in a KMS."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol

from saegim.encryption.cipher import FieldLocation, SealBroken, unwrap, wrap


@dataclass(frozen=True, slots=True)
class WrappedKey:
    """A wrapped key and the name of the key that wrapped it."""

    content: bytes
    outer: str


class MasterKey(Protocol):
    """Wraps and unwraps 32-byte keys, each bound to a location. Raises StoreUnavailable."""

    @property
    def id(self) -> str:
        """The name of the key that wraps new keys."""
        ...

    async def wrap(self, key: bytes, place: FieldLocation) -> WrappedKey:
        """Wrap a key for its location."""
        ...

    async def unwrap(self, wrapped: bytes, outer: str | None, place: FieldLocation) -> bytes:
        """Unwrap a key. Raises SealBroken for another location or an unknown `outer`."""
        ...


class EnvironmentMaster:
    """A key from the environment; previous ones still unwrap."""

    def __init__(self, key: bytes, previous: Sequence[bytes] = ()) -> None:
        self._key = key
        self._known = {name_of(each): each for each in (*previous, key)}
        self.id = name_of(key)

    async def wrap(self, key: bytes, place: FieldLocation) -> WrappedKey:
        return WrappedKey(wrap(self._key, key, place), self.id)

    async def unwrap(self, wrapped: bytes, outer: str | None, place: FieldLocation) -> bytes:
        if outer is not None:
            if outer not in self._known:
                raise SealBroken(place.field)
            return unwrap(self._known[outer], wrapped, place)
        # Keys wrapped before master keys had names.
        for key in self._known.values():
            try:
                return unwrap(key, wrapped, place)
            except SealBroken:
                continue
        raise SealBroken(place.field)


def name_of(key: bytes) -> str:
    """Return a name for a master key that reveals nothing about it."""
    return f"env:{blake2b(b'saegim master', key=key, digest_size=6).hexdigest()}"
