"""Versions of assistants, and collections."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, fields
from datetime import datetime
from enum import StrEnum
from typing import Any, Self
from uuid import UUID

from saegim.domain.etags import ExpectedVersion
from saegim.domain.scope import Locale
from saegim.domain.tenancy import Assistant


class VersionState(StrEnum):
    DRAFT = "draft"
    PUBLISHED = "published"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class AssistantContent:
    """The content of a version; a turn reads `config`."""

    name: str
    persona: str
    policy: str
    locale: Locale
    collections: tuple[UUID, ...]
    config: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def fields(self) -> dict[str, Any]:
        """Return the fields that an assistant has, too."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @classmethod
    def of(cls, assistant: Assistant) -> Self:
        return cls(**{each.name: getattr(assistant, each.name) for each in fields(cls)})


@dataclass(frozen=True, slots=True)
class AssistantVersion:
    assistant: UUID
    version: int
    state: VersionState
    content: AssistantContent
    made_by: UUID
    created_at: datetime
    published_at: datetime | None


@dataclass(frozen=True, slots=True)
class Edit:
    """The author and time of a change, and the version they saw, if given."""

    by: UUID
    at: datetime
    seen: ExpectedVersion | None = None


@dataclass(frozen=True, slots=True)
class Collection:
    """A set of documents and the groups that may read it; empty means everyone in the tenant."""

    id: UUID
    name: str
    audience: Set[str]
