"""Encrypt and decrypt with one key (AES-256-GCM), and derive keys for a purpose."""

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES = 32
NONCE_BYTES = 12
FORMAT = b"\x01"

Purpose = Literal["lookup", "terms", "receipts", "audit"]
PURPOSES: tuple[Purpose, ...] = ("lookup", "terms", "receipts", "audit")


class SealBroken(Exception):
    """The bytes were not encrypted by this key for this location, or were changed."""


def new_key() -> bytes:
    return secrets.token_bytes(KEY_BYTES)


@dataclass(frozen=True, slots=True)
class FieldLocation:
    """The field and row of an encrypted value; it cannot be decrypted elsewhere."""

    field: str
    row: UUID

    def bound(self) -> bytes:
        return f"{self.field}:{self.row.hex}".encode()


class Cipher:
    """Encrypts with one `version` of an owner's key, and decrypts with any.

    Derived keys come from the first version, or are given where that one was retired."""

    def __init__(
        self,
        key: bytes,
        version: int,
        others: Mapping[int, bytes] | None = None,
        derived: Mapping[Purpose, bytes] | None = None,
    ) -> None:
        keys = {**(others or {}), version: key}
        self._gcm = {number: AESGCM(each) for number, each in keys.items()}
        self.version = version
        self._derived = dict(derived or {})
        self._first = keys[min(keys)]

    def seal(self, text: str, place: FieldLocation) -> bytes:
        return self.seal_bytes(text.encode(), place)

    def seal_bytes(self, content: bytes, place: FieldLocation) -> bytes:
        nonce = secrets.token_bytes(NONCE_BYTES)
        header = FORMAT + self.version.to_bytes(2)
        sealed = self._gcm[self.version].encrypt(nonce, content, header + place.bound())
        return header + nonce + sealed

    def open(self, sealed: bytes, place: FieldLocation) -> str:
        return self.open_bytes(sealed, place).decode()

    def open_bytes(self, sealed: bytes, place: FieldLocation) -> bytes:
        header, nonce = sealed[:3], sealed[3 : 3 + NONCE_BYTES]
        gcm = self._gcm.get(version_of(sealed))
        if gcm is None or len(nonce) < NONCE_BYTES:
            raise SealBroken(place.field)
        try:
            return gcm.decrypt(nonce, sealed[3 + NONCE_BYTES :], header + place.bound())
        except InvalidTag as error:
            raise SealBroken(place.field) from error

    def derive(self, purpose: Purpose) -> bytes:
        """Return a key for one purpose, which stays the same when keys rotate."""
        derived = self._derived.get(purpose)
        return derive(self._first, purpose) if derived is None else derived

    def fingerprint(self, value: str) -> bytes:
        """Return a keyed hash, for equality look-ups of encrypted values."""
        return hmac.digest(self.derive("lookup"), value.encode(), "sha256")


def derive(key: bytes, purpose: Purpose) -> bytes:
    return blake2b(b"saegim " + purpose.encode(), key=key, digest_size=32).digest()


def version_of(sealed: bytes) -> int:
    return int.from_bytes(sealed[1:3])


def wrap(outer: bytes, inner: bytes, place: FieldLocation) -> bytes:
    """Encrypt a key with another."""
    nonce = secrets.token_bytes(NONCE_BYTES)
    return nonce + AESGCM(outer).encrypt(nonce, inner, place.bound())


def unwrap(outer: bytes, wrapped: bytes, place: FieldLocation) -> bytes:
    try:
        return AESGCM(outer).decrypt(wrapped[:NONCE_BYTES], wrapped[NONCE_BYTES:], place.bound())
    except InvalidTag as error:
        raise SealBroken(place.field) from error
