"""Sealing and opening with one key (AES-256-GCM), and keys derived from it for one purpose."""

import hmac
import secrets
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES = 32
NONCE_BYTES = 12
FORMAT = b"\x01"

Purpose = Literal["lookup", "terms"]


class SealBroken(Exception):
    """Sealed bytes that this key did not seal for this place, or that were changed."""


def new_key() -> bytes:
    return secrets.token_bytes(KEY_BYTES)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sealed value stands; bytes moved to another row or field do not open there."""

    field: str
    row: UUID

    def bound(self) -> bytes:
        return f"{self.field}:{self.row.hex}".encode()


class Cipher:
    """One key at work; `version` says which of its owner's keys it is."""

    def __init__(self, key: bytes, version: int) -> None:
        self._key = key
        self._gcm = AESGCM(key)
        self._version = version.to_bytes(2)

    def seal(self, text: str, place: Place) -> bytes:
        nonce = secrets.token_bytes(NONCE_BYTES)
        header = FORMAT + self._version
        return header + nonce + self._gcm.encrypt(nonce, text.encode(), header + place.bound())

    def open(self, sealed: bytes, place: Place) -> str:
        header, nonce = sealed[:3], sealed[3 : 3 + NONCE_BYTES]
        try:
            plain = self._gcm.decrypt(nonce, sealed[3 + NONCE_BYTES :], header + place.bound())
        except InvalidTag as error:
            raise SealBroken(place.field) from error
        return plain.decode()

    def derive(self, purpose: Purpose) -> bytes:
        """A key for one purpose that tells nothing about this one."""
        return blake2b(b"saegim " + purpose.encode(), key=self._key, digest_size=32).digest()

    def fingerprint(self, value: str) -> bytes:
        """A keyed hash, so that what is sealed can still be looked up by equality."""
        return hmac.digest(self.derive("lookup"), value.encode(), "sha256")


def version_of(sealed: bytes) -> int:
    """Which key version sealed these bytes."""
    return int.from_bytes(sealed[1:3])


def wrap(outer: bytes, inner: bytes, place: Place) -> bytes:
    """A key sealed with another."""
    nonce = secrets.token_bytes(NONCE_BYTES)
    return nonce + AESGCM(outer).encrypt(nonce, inner, place.bound())


def unwrap(outer: bytes, wrapped: bytes, place: Place) -> bytes:
    try:
        return AESGCM(outer).decrypt(wrapped[:NONCE_BYTES], wrapped[NONCE_BYTES:], place.bound())
    except InvalidTag as error:
        raise SealBroken(place.field) from error
