"""Values of authentication, and the form of API keys."""

import re
import secrets
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal
from uuid import UUID

from saegim.domain.scope import Locale, Role


@dataclass(frozen=True, slots=True)
class AppKey:
    """An API key: bound to one member, or one that may act as any member.

    `made_by` is the member who created it; None for operators."""

    id: UUID
    tenant: UUID
    role: Role
    member: UUID | None
    assistant: UUID
    groups: Set[str]
    expires_at: datetime | None
    revoked_at: datetime | None
    scopes: Set[str] | None = None
    made_by: UUID | None = None

    @property
    def on_behalf(self) -> bool:
        """Whether somebody else than the member holds or made this key."""
        return self.member is None or self.made_by not in (None, self.member)

    @property
    def may_act_as(self) -> bool:
        return self.member is None

    def valid_at(self, instant: datetime) -> bool:
        expired = self.expires_at is not None and self.expires_at <= instant
        return not expired and self.revoked_at is None


@dataclass(frozen=True, slots=True)
class ListedKey:
    """A key as admins see it, without its secret."""

    key: AppKey
    name: str
    prefix: str
    created_at: datetime
    used_at: datetime | None
    replaces: UUID | None
    member_name: str | None = None
    made_by_name: str | None = None


@dataclass(frozen=True, slots=True)
class ActAs:
    """Request context beside the credential: the user to act as, the tenant of a JWT, the web
    origin, the chosen assistant and the browser sign-in.

    `default_user` is the user if none is named; credentials of one user ignore it. A request
    `without_user` needs none, because it touches nobody's data."""

    user: str | None = None
    profile: str | None = None
    tenant: str | None = None
    origin: str | None = None
    assistant: UUID | None = None
    sign_in: UUID | None = None
    default_user: str | None = None
    without_user: bool = False


@dataclass(frozen=True, slots=True)
class MemberProfile:
    """A member with one of its profiles.

    `own` is the membership that a linked identity had before it was linked; `arrived` says whether
    the person signed in before."""

    member: UUID
    profile: UUID
    locale: Locale
    time_zone: str
    role: Role = Role.MEMBER
    groups: Set[str] = field(default_factory=frozenset[str])
    disabled: bool = False
    signed_in: bool = False
    own: "Membership | None" = None
    arrived: bool = True


@dataclass(frozen=True, slots=True)
class Membership:
    """Role, scopes and groups of a member or key."""

    role: Role
    scopes: Set[str] | None = None
    groups: Set[str] = field(default_factory=frozenset[str])


@dataclass(frozen=True, slots=True)
class ListedMember:
    """A member as admins see it. `effective_role` is the highest of its own role and those of its
    keys."""

    id: UUID
    name: str
    role: Role
    groups: Set[str]
    disabled: bool
    created_at: datetime
    effective_role: Role
    email: str | None = None
    has_account: bool = False
    last_seen: datetime | None = None


@dataclass(frozen=True, slots=True)
class GroupUse:
    """A group, with the members, open invitations and keys in it, and the collections that it may
    read."""

    name: str
    members: int
    invitations: int
    keys: int
    collections: int


@dataclass(frozen=True, slots=True)
class Account:
    """The account of a member: e-mail and password."""

    tenant: UUID
    member: UUID
    password_hash: str = field(repr=False)
    disabled: bool


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation to open an account, as its member-to-be `member`."""

    id: UUID
    tenant: UUID
    member: UUID
    email: str
    name: str
    role: Role
    groups: Set[str]
    invited_by: UUID
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class MemberChange:
    """Changes to a member; None keeps a field."""

    role: Role | None = None
    groups: Set[str] | None = None
    disabled: bool | None = None


@dataclass(frozen=True, slots=True)
class Identity:
    """An account that is linked to a member, such as a Discord account."""

    id: UUID
    channel: str
    name: str
    linked_at: datetime


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile: a separate memory namespace of a user."""

    id: UUID
    name: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Issuer:
    """An OIDC issuer that a tenant trusts. Its keys are stored, or fetched from `jwks_url`."""

    id: UUID
    tenant: UUID
    url: str
    audience: str
    assistant: UUID
    jwks_url: str | None = None
    jwks: Mapping[str, Any] | None = None
    user_claim: str = "sub"
    groups_claim: str | None = None


SHOWN_CHARACTERS = 6
_KEY_FORM = re.compile(r"sgm_(?P<tenant>[0-9a-f]{32})_(?P<secret>[A-Za-z0-9_-]{43})")


@dataclass(frozen=True, slots=True)
class KeyParts:
    """The tenant in a key or link, so that no lookup crosses tenants, and the hash of its
    secret."""

    tenant: UUID
    secret_hash: bytes


@dataclass(frozen=True, slots=True)
class MintedKey:
    """A new key. `text` contains the secret, which is not stored."""

    text: str
    prefix: str
    secret_hash: bytes


def mint_key(tenant: UUID) -> MintedKey:
    secret = secrets.token_urlsafe(32)
    text = f"sgm_{tenant.hex}_{secret}"
    return MintedKey(text, text[: len(text) - len(secret) + SHOWN_CHARACTERS], _hash_secret(secret))


def parse_key(text: str) -> KeyParts | None:
    """Splits a key; returns None if it is malformed."""
    match = _KEY_FORM.fullmatch(text)
    if match is None:
        return None
    return KeyParts(UUID(match["tenant"]), _hash_secret(match["secret"]))


LinkKind = Literal["invitation", "reset"]
_LINK_PREFIX: Mapping[LinkKind, str] = {"invitation": "sgi", "reset": "sgr"}
_LINK_FORM = re.compile(
    r"(?P<prefix>sg[ir])_(?P<tenant>[0-9a-f]{32})_(?P<secret>[A-Za-z0-9_-]{43})"
)


def mint_link(kind: LinkKind, tenant: UUID) -> tuple[str, bytes]:
    """Returns the token of a link, and the hash of its secret."""
    secret = secrets.token_urlsafe(32)
    return f"{_LINK_PREFIX[kind]}_{tenant.hex}_{secret}", _hash_secret(secret)


def parse_link(kind: LinkKind, token: str) -> KeyParts | None:
    """Splits the token of a link; returns None if it is malformed or of another kind."""
    match = _LINK_FORM.fullmatch(token)
    if match is None or match["prefix"] != _LINK_PREFIX[kind]:
        return None
    return KeyParts(UUID(match["tenant"]), _hash_secret(match["secret"]))


def _hash_secret(secret: str) -> bytes:
    # 256 random bits need no slow hash.
    return sha256(secret.encode()).digest()
