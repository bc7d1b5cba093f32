"""The caller of a request and the scope of its data."""

from collections.abc import Set
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal
from uuid import UUID

Locale = Literal["ko", "en"]


@dataclass(frozen=True, slots=True)
class Scope:
    """The owner of data: passed to every read and write."""

    tenant: UUID
    user: UUID
    profile: UUID


class Role(StrEnum):
    OWNER = "owner"
    ADMIN = "admin"
    EDITOR = "editor"
    MEMBER = "member"
    AUDITOR = "auditor"
    MINTER = "minter"
    """Only for keys: mints tokens for end users and nothing else."""


class CredentialKind(StrEnum):
    """The kind of credential of a caller."""

    KEY = "key"
    TOKEN = "token"  # noqa: S105 - the name of a kind
    """A short-lived token for an end user, minted with a key."""
    ISSUER = "issuer"
    """A JWT of an issuer that the tenant trusts."""
    ACCOUNT = "account"
    """E-mail and password, in a browser."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The authenticated caller of a request.

    `key` is the key, the key that minted the token, the issuer, or the member of the account.
    `scopes` restrict the role; None does not. `known_as` is the external ID of the user.
    `own_assistant` is the assistant of the credential if the request chose another. `on_behalf`:
    somebody else than the user made or holds the credential. `collections` replace those of the
    assistant: a draft has its own."""

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
    collections: Set[UUID] | None = None
