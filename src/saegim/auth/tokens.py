"""Short-lived tokens for end users: `sgt_<tenant>_<key>_<sealed>`, minted by a customer's backend.

What a token says is sealed with a key of the tenant's, so that nobody reads or changes it."""

import base64
import binascii
import json
import re
from collections.abc import Set
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from urllib.parse import urlsplit
from uuid import UUID

from saegim.domain.errors import Invalid

LONGEST_SECONDS = 24 * 60 * 60
USUAL_SECONDS = 15 * 60
MOST_ORIGINS = 20
PREFIX = "sgt"
_FORM = re.compile(
    r"(?P<prefix>sg[st])_(?P<tenant>[0-9a-f]{32})_(?P<key>[0-9a-f]{32})_(?P<sealed>[A-Za-z0-9_-]{40,6000})"
)


@dataclass(frozen=True, slots=True)
class TokenParts:
    """What a token tells before it is opened: whose it is, and which key minted it."""

    tenant: UUID
    key: UUID
    sealed: bytes


@dataclass(frozen=True, slots=True)
class Grant:
    """What a token gives: one user and profile, one assistant, from these pages, until then."""

    user: str
    profile: str
    assistant: UUID
    expires_at: datetime
    origins: Set[str]
    groups: Set[str]
    may: Set[str] = frozenset()
    """What it may besides what every token may."""

    def valid_at(self, instant: datetime, origin: str | None) -> bool:
        allowed = not self.origins or (origin is not None and origin in self.origins)
        return self.expires_at > instant and allowed


def parse(text: str, prefix: str = PREFIX) -> TokenParts | None:
    """The parts of a token that has the right form; None otherwise."""
    match = _FORM.fullmatch(text)
    if match is None or match["prefix"] != prefix:
        return None
    sealed = match["sealed"]
    try:
        raw = base64.b64decode(sealed + "=" * (-len(sealed) % 4), altchars=b"-_", validate=True)
    except binascii.Error:
        return None
    return TokenParts(UUID(match["tenant"]), UUID(match["key"]), raw)


def write(tenant: UUID, key: UUID, sealed: bytes, prefix: str = PREFIX) -> str:
    text = base64.urlsafe_b64encode(sealed).rstrip(b"=").decode()
    return f"{prefix}_{tenant.hex}_{key.hex}_{text}"


def to_text(grant: Grant) -> str:
    """The grant as it is sealed."""
    return json.dumps(
        {
            "u": grant.user,
            "p": grant.profile,
            "a": grant.assistant.hex,
            "e": grant.expires_at.timestamp(),
            "o": sorted(grant.origins),
            "g": sorted(grant.groups),
            "m": sorted(grant.may),
        },
        ensure_ascii=False,
    )


def from_text(text: str) -> Grant:
    """The grant as it was sealed."""
    found = cast("dict[str, Any]", json.loads(text))
    return Grant(
        user=found["u"],
        profile=found["p"],
        assistant=UUID(found["a"]),
        expires_at=datetime.fromtimestamp(found["e"]).astimezone(),
        origins=frozenset(found["o"]),
        groups=frozenset(found["g"]),
        may=frozenset(found["m"]),
    )


def check_origin(text: str) -> str:
    """An origin as browsers write it: scheme and host, nothing after. Raises Invalid."""
    parts = urlsplit(text)
    local = parts.hostname in ("localhost", "127.0.0.1", "::1")
    good = parts.scheme == "https" or (parts.scheme == "http" and local)
    if (
        not good
        or not parts.netloc
        or "*" in text
        or f"{parts.scheme}://{parts.netloc}" != text.lower()
    ):
        raise Invalid(f"not an origin: {text[:100]}")
    return text.lower()
