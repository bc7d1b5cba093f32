"""What wraps the tenants' keys: a key of the environment, or one that never leaves a KMS."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol

from saegim.encryption.cipher import FieldLocation, SealBroken, unwrap, wrap


@dataclass(frozen=True, slots=True)
class WrappedKey:
    """A wrapped key and the name of what wrapped it."""

    content: bytes
    outer: str


class MasterKey(Protocol):
    """Wraps and unwraps keys of 32 bytes, each for one place. Raises StoreUnavailable."""

    @property
    def id(self) -> str:
        """Names the key that wraps from now on."""
        ...

    async def wrap(self, key: bytes, place: FieldLocation) -> WrappedKey:
        """The key, wrapped for its place."""
        ...

    async def unwrap(self, wrapped: bytes, outer: str | None, place: FieldLocation) -> bytes:
        """The key again. Raises SealBroken for another place, or where `outer` is not known."""
        ...


class EnvironmentMaster:
    """A key from the environment; those before it still open what they wrapped."""

    def __init__(self, key: bytes, previous: Sequence[bytes] = ()) -> None:
        self._key = key
        self._known = {name_of(each): each for each in (*previous, key)}
        self._id = name_of(key)

    @property
    def id(self) -> str:
        return self._id

    async def wrap(self, key: bytes, place: FieldLocation) -> WrappedKey:
        return WrappedKey(wrap(self._key, key, place), self._id)

    async def unwrap(self, wrapped: bytes, outer: str | None, place: FieldLocation) -> bytes:
        if outer is not None:
            if outer not in self._known:
                raise SealBroken(place.field)
            return unwrap(self._known[outer], wrapped, place)
        # Keys that were wrapped before masters had names.
        for key in self._known.values():
            try:
                return unwrap(key, wrapped, place)
            except SealBroken:
                continue
        raise SealBroken(place.field)


def name_of(key: bytes) -> str:
    """A name for a master key that tells nothing about it."""
    return f"env:{blake2b(b'saegim master', key=key, digest_size=6).hexdigest()}"
