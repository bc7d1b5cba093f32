from collections.abc import Set
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal
from uuid import UUID

Locale = Literal["ko", "en"]


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose data: goes with every read and write."""

    tenant: UUID
    user: UUID
    profile: UUID


class Role(StrEnum):
    OWNER = "owner"
    ADMIN = "admin"
    EDITOR = "editor"
    MEMBER = "member"
    AUDITOR = "auditor"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is calling, as the credential says; never as the body says."""

    scope: Scope
    role: Role
    assistant: UUID
    key: UUID
    groups: Set[str] = field(default_factory=frozenset[str])
    locale: Locale = "ko"
    time_zone: str = "Asia/Seoul"
