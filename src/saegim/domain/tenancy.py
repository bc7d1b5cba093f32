from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any, cast
from uuid import UUID

from saegim.domain.scope import Locale


@dataclass(frozen=True, slots=True)
class Tenant:
    """An organisation."""

    id: UUID
    name: str


@dataclass(frozen=True, slots=True)
class Assistant:
    """One bot of a tenant: its persona and policy, and the collections it may read.

    `config` is what it says about its turns; what it leaves out has a default.
    """

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
        """The groups whose people may switch to it; an empty set is everybody, None is nobody."""
        named: object = self.config.get("offered_to")
        return frozenset(map(str, cast("list[Any]", named))) if isinstance(named, list) else None


@dataclass(frozen=True, slots=True)
class CollectionAccess:
    """Who writes to a collection: its owner, or its audience; an empty one is everybody."""

    id: UUID
    owner: UUID | None
    audience: Set[str] = field(default_factory=frozenset[str])
