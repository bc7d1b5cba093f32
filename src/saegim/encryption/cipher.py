"""Sealing and opening with one key (AES-256-GCM), and keys derived from it for one purpose."""

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
    """Sealed bytes that this key did not seal for this place, or that were changed."""


def new_key() -> bytes:
    return secrets.token_bytes(KEY_BYTES)


@dataclass(frozen=True, slots=True)
class FieldLocation:
    """Where a sealed value stands; bytes moved to another row or field do not open there."""

    field: str
    row: UUID

    def bound(self) -> bytes:
        return f"{self.field}:{self.row.hex}".encode()


class Cipher:
    """An owner's keys at work: `version` seals, and whatever any of them sealed opens.

    What is derived comes from the owner's first key, or is given where that one is gone."""

    def __init__(
        self,
        key: bytes,
        version: int,
        others: Mapping[int, bytes] | None = None,
        derived: Mapping[Purpose, bytes] | None = None,
    ) -> None:
        keys = {**(others or {}), version: key}
        self._gcm = {number: AESGCM(each) for number, each in keys.items()}
        self._version = version
        self._derived = dict(derived or {})
        self._first = keys[min(keys)]

    @property
    def version(self) -> int:
        """Which of its owner's keys seals."""
        return self._version

    def seal(self, text: str, place: FieldLocation) -> bytes:
        return self.seal_bytes(text.encode(), place)

    def seal_bytes(self, content: bytes, place: FieldLocation) -> bytes:
        nonce = secrets.token_bytes(NONCE_BYTES)
        header = FORMAT + self._version.to_bytes(2)
        sealed = self._gcm[self._version].encrypt(nonce, content, header + place.bound())
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
        """A key for one purpose that tells nothing about this one, and stays when keys rotate."""
        given = self._derived.get(purpose)
        return derive(self._first, purpose) if given is None else given

    def fingerprint(self, value: str) -> bytes:
        """A keyed hash, so that what is sealed can still be looked up by equality."""
        return hmac.digest(self.derive("lookup"), value.encode(), "sha256")


def derive(key: bytes, purpose: Purpose) -> bytes:
    """A key for one purpose, from an owner's own."""
    return blake2b(b"saegim " + purpose.encode(), key=key, digest_size=32).digest()


def version_of(sealed: bytes) -> int:
    """Which key version sealed these bytes."""
    return int.from_bytes(sealed[1:3])


def wrap(outer: bytes, inner: bytes, place: FieldLocation) -> bytes:
    """A key sealed with another."""
    nonce = secrets.token_bytes(NONCE_BYTES)
    return nonce + AESGCM(outer).encrypt(nonce, inner, place.bound())


def unwrap(outer: bytes, wrapped: bytes, place: FieldLocation) -> bytes:
    try:
        return AESGCM(outer).decrypt(wrapped[:NONCE_BYTES], wrapped[NONCE_BYTES:], place.bound())
    except InvalidTag as error:
        raise SealBroken(place.field) from error
