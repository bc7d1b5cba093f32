from collections.abc import Set
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from saegim.domain.scope import Locale, Role


@dataclass(frozen=True, slots=True)
class AppKey:
    """A credential of a tenant: bound to one member, or one that may act as any of them."""

    id: UUID
    tenant: UUID
    role: Role
    member: UUID | None
    assistant: UUID
    groups: Set[str]
    expires_at: datetime | None
    revoked_at: datetime | None

    @property
    def may_act_as(self) -> bool:
        return self.member is None

    def valid_at(self, instant: datetime) -> bool:
        expired = self.expires_at is not None and self.expires_at <= instant
        return not expired and self.revoked_at is None


@dataclass(frozen=True, slots=True)
class ActAs:
    """Whom a request names in its headers; only a key that may act as others can."""

    user: str | None = None
    profile: str | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """A member in one of their profiles, as stored."""

    member: UUID
    profile: UUID
    locale: Locale
    time_zone: str
