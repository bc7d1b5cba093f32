from dataclasses import dataclass
from uuid import UUID

from saegim.domain.scope import Locale


@dataclass(frozen=True, slots=True)
class Tenant:
    """An organisation."""

    id: UUID
    name: str


@dataclass(frozen=True, slots=True)
class Assistant:
    """One bot of a tenant: its persona and policy, and the collections it may read."""

    id: UUID
    tenant: UUID
    name: str
    persona: str
    policy: str
    locale: Locale
    collections: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class Member:
    """A person in a tenant, with the language and time zone they live in."""

    id: UUID
    tenant: UUID
    outside_id: str
    locale: Locale
    time_zone: str
