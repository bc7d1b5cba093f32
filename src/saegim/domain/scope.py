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


class CredentialKind(StrEnum):
    """What a caller proved itself with."""

    KEY = "key"
    TOKEN = "token"  # noqa: S105 - the name of a kind
    """Short-lived, minted for an end user by a customer's backend."""
    ISSUER = "issuer"
    """A signed token of the tenant's own sign-in."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is calling, as the credential says; never as the body says.

    `key` is the key that was shown or minted the token, else the issuer. `scopes` narrow the role;
    None leaves it whole. `known_as` is the name the person has outside, where one was given.
    `own_assistant` is the credential's, where the request said itself which one is to answer.
    `on_behalf` is true where somebody else than the person made or holds the credential.
    """

    scope: Scope
    role: Role
    assistant: UUID
    key: UUID
    groups: Set[str] = field(default_factory=frozenset[str])
    locale: Locale = "ko"
    time_zone: str = "Asia/Seoul"
    scopes: Set[str] | None = None
    credential: CredentialKind = CredentialKind.KEY
    acts_for_others: bool = False
    known_as: str | None = field(default=None, repr=False)
    own_assistant: UUID | None = None
    on_behalf: bool = False
