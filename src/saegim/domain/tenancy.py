"""Tenants, assistants and collections."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any, cast
from uuid import UUID

from saegim.domain.scope import Locale


@dataclass(frozen=True, slots=True)
class Tenant:
    id: UUID
    name: str


@dataclass(frozen=True, slots=True)
class Assistant:
    """An assistant of a tenant. `config` may omit fields, which have defaults."""

    id: UUID
    tenant: UUID
    name: str
    persona: str
    policy: str
    locale: Locale
    collections: tuple[UUID, ...] = ()
    config: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def offered_to(self) -> Set[str] | None:
        """Groups that may choose this assistant: all if empty, none if None."""
        groups: object = self.config.get("offered_to")
        return frozenset(map(str, cast("list[Any]", groups))) if isinstance(groups, list) else None


@dataclass(frozen=True, slots=True)
class CollectionAccess:
    """Owner or audience that may write to a collection; an empty audience is everyone."""

    id: UUID
    owner: UUID | None
    audience: Set[str] = field(default_factory=frozenset[str])
