"""Short-lived tokens for end users: `sgt_<tenant>_<key>_<sealed>`.

The content is encrypted and authenticated with a key of the tenant."""

import base64
import binascii
import re
from collections.abc import Set
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import TypeAdapter, ValidationError

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
    """The unencrypted parts of a token: its tenant, and the key that minted it."""

    tenant: UUID
    key: UUID
    sealed: bytes


@dataclass(frozen=True, slots=True)
class Grant:
    """The content of a token; `may` lists permissions beyond those of every token."""

    user: str
    profile: str
    assistant: UUID
    expires_at: datetime
    origins: Set[str]
    groups: Set[str]
    may: Set[str] = frozenset()

    def valid_at(self, instant: datetime, origin: str | None) -> bool:
        allowed = not self.origins or (origin is not None and origin in self.origins)
        return self.expires_at > instant and allowed


def parse(text: str, prefix: str = PREFIX) -> TokenParts | None:
    """Splits a token; returns None if it is malformed."""
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


def to_text(content: object) -> str:
    """Returns the fields of a dataclass as JSON."""
    return _adapter(type(content)).dump_json(content).decode()


def from_text[T](kind: type[T], text: str | None) -> T | None:
    """Parses such JSON; returns None for other content, such as that of another release."""
    try:
        return _adapter(kind).validate_json(text or "")
    except ValidationError:
        return None


@cache
def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def check_origin(text: str) -> str:
    """Returns a web origin (scheme and host only) in lower case. Raises Invalid."""
    parts = urlsplit(text)
    local = parts.hostname in ("localhost", "127.0.0.1", "::1")
    secure = parts.scheme == "https" or (parts.scheme == "http" and local)
    bare = f"{parts.scheme}://{parts.netloc}" == text.lower()
    if not secure or not parts.netloc or "*" in text or not bare:
        raise Invalid(f"not an origin: {text[:100]}")
    return text.lower()
