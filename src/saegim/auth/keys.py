"""API keys: `sgm_<tenant>_<secret>`. The secret is shown once and stored as a hash."""

import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

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
