"""Versions of assistants, and collections."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from saegim.domain.etags import ExpectedVersion
from saegim.domain.scope import Locale


class VersionState(StrEnum):
    DRAFT = "draft"
    PUBLISHED = "published"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class AssistantContent:
    """What a version of an assistant holds; `config` is for the turn to read."""

    name: str
    persona: str
    policy: str
    locale: Locale
    collections: tuple[UUID, ...]
    config: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class AssistantVersion:
    """One version of an assistant's configuration."""

    assistant: UUID
    version: int
    state: VersionState
    content: AssistantContent
    made_by: UUID
    created_at: datetime
    published_at: datetime | None


@dataclass(frozen=True, slots=True)
class Edit:
    """Who changes an assistant, when, and what they saw before, where they say."""

    by: UUID
    at: datetime
    seen: ExpectedVersion | None = None


@dataclass(frozen=True, slots=True)
class Collection:
    """A set of documents and who may read it; nobody named means everybody in the tenant."""

    id: UUID
    name: str
    audience: Set[str]
