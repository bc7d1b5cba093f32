"""Names of keys, stored keys, and the head of a tenant's audit trail."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from saegim.domain.errors import UserErased

NOBODY = UUID(int=0)
FIRST_VERSION = 1


class KeyDestroyed(UserErased):
    """The owner was erased; nothing this key encrypted can be read again."""


class NoKey(Exception):
    """The owner has no key, and none was to be created."""


@dataclass(frozen=True, slots=True)
class KeyName:
    """The name of a key; the tenant's own has the owner `NOBODY`."""

    tenant: UUID
    owner: UUID
    version: int


@dataclass(frozen=True, slots=True)
class StoredKey:
    """A wrapped key, the key that wraps it, and when it starts to encrypt."""

    version: int
    wrapped: bytes
    outer: str | None = None
    active_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """The last sealed batch of a tenant's audit trail."""

    number: int
    digest: bytes
