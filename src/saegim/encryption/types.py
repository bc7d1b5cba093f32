"""Names of keys, keys as they are stored, and the head of a tenant's audit trail."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from saegim.domain.errors import UserErased

NOBODY = UUID(int=0)
FIRST_VERSION = 1


class KeyDestroyed(UserErased):
    """The owner was erased: nothing that this key sealed will be read again."""


class NoKey(Exception):
    """The owner has no key, and the caller asked that none be made."""


@dataclass(frozen=True, slots=True)
class KeyName:
    """Names a key; the tenant's own has nobody as its owner."""

    tenant: UUID
    owner: UUID
    version: int


@dataclass(frozen=True, slots=True)
class StoredKey:
    """A wrapped key: what wraps it, and from when on it seals."""

    version: int
    wrapped: bytes
    outer: str | None = None
    active_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """The last sealed batch of a tenant's trail."""

    number: int
    digest: bytes
