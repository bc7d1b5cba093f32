import re
import secrets
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from saegim.domain.scope import Locale, Role


@dataclass(frozen=True, slots=True)
class AppKey:
    """A credential of a tenant: bound to one member, or one that may act as any of them.

    `made_by` is the member that made it; None where an operator did."""

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
        """Whether others than the person itself hold or made this key."""
        return self.member is None or self.made_by not in (None, self.member)

    @property
    def may_act_as(self) -> bool:
        return self.member is None

    def valid_at(self, instant: datetime) -> bool:
        expired = self.expires_at is not None and self.expires_at <= instant
        return not expired and self.revoked_at is None


@dataclass(frozen=True, slots=True)
class ListedKey:
    """A key as its tenant's admins see it; its secret is nowhere."""

    key: AppKey
    name: str
    prefix: str
    created_at: datetime
    used_at: datetime | None
    replaces: UUID | None


@dataclass(frozen=True, slots=True)
class ActAs:
    """What a request says beside its credential: whom a key acts as, which tenant's issuer signed
    a token, the page it comes from, which of the assistants that it may use is to answer, and the
    sign-in that a browser's cookie holds."""

    user: str | None = None
    profile: str | None = None
    tenant: str | None = None
    origin: str | None = None
    assistant: UUID | None = None
    sign_in: UUID | None = None


@dataclass(frozen=True, slots=True)
class MemberProfile:
    """A member in one of their profiles, as stored.

    `own` is what the name had of its own before it was linked to this member, where it was."""

    member: UUID
    profile: UUID
    locale: Locale
    time_zone: str
    role: Role = Role.MEMBER
    groups: Set[str] = field(default_factory=frozenset[str])
    disabled: bool = False
    signed_in: bool = False
    own: "Membership | None" = None


@dataclass(frozen=True, slots=True)
class Membership:
    """A role, as a member or a key has it, with the scopes that narrow it and its groups."""

    role: Role
    scopes: Set[str] | None = None
    groups: Set[str] = field(default_factory=frozenset[str])


@dataclass(frozen=True, slots=True)
class ListedMember:
    """A member as admins see it, by the name it has outside."""

    id: UUID
    name: str
    role: Role
    groups: Set[str]
    disabled: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class MemberChange:
    """What is to change about a member; None leaves it as it is."""

    role: Role | None = None
    groups: Set[str] | None = None
    disabled: bool | None = None


@dataclass(frozen=True, slots=True)
class Identity:
    """One more name by which a member is known: a Discord account, a sign-in, a user of an API."""

    id: UUID
    channel: str
    name: str
    linked_at: datetime


@dataclass(frozen=True, slots=True)
class Profile:
    """One of a person's name spaces."""

    id: UUID
    name: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Issuer:
    """Who signs the tokens of a tenant's own users. Keys are given, or fetched from `jwks_url`."""

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
    """What a key tells before any look-up: its tenant, so that no query crosses tenants."""

    tenant: UUID
    secret_hash: bytes


@dataclass(frozen=True, slots=True)
class MintedKey:
    """A new key; `text` is the only time its secret is seen."""

    text: str
    prefix: str
    secret_hash: bytes


def mint_key(tenant: UUID) -> MintedKey:
    secret = secrets.token_urlsafe(32)
    text = f"sgm_{tenant.hex}_{secret}"
    return MintedKey(text, text[: len(text) - len(secret) + SHOWN_CHARACTERS], _hash_secret(secret))


def parse_key(text: str) -> KeyParts | None:
    """The parts of a key that has the right form; None otherwise."""
    match = _KEY_FORM.fullmatch(text)
    if match is None:
        return None
    return KeyParts(UUID(match["tenant"]), _hash_secret(match["secret"]))


def _hash_secret(secret: str) -> bytes:
    # 256 random bits need no slow hash: there is nothing to guess.
    return sha256(secret.encode()).digest()
