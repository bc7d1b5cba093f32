"""Passwords of accounts, hashed with Argon2id."""

import asyncio
import hmac
import secrets
import unicodedata
from functools import cached_property

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from saegim.domain.errors import Invalid, WeakPassword


def same_text(one: str, other: str) -> bool:
    """Compares two texts in constant time; they may be non-ASCII."""
    encoded = (text.encode("utf-8", "surrogatepass") for text in (one, other))
    return hmac.compare_digest(*encoded)


SHORTEST = 10
LONGEST = 200
# OWASP's smallest parameters: about 25 ms and 19 MB each.
MEMORY_KIB = 19_456
PASSES = 2
AT_ONCE = 2


class Passwords:
    """Hashes and verifies in threads, a few at once: each needs memory and a core."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher(time_cost=PASSES, memory_cost=MEMORY_KIB, parallelism=1)
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def hash(self, password: str) -> str:
        """Hashes a new password. Raises WeakPassword and Invalid."""
        text = normalised(password)
        if len(text) < SHORTEST:
            raise WeakPassword
        if len(text) > LONGEST:
            raise Invalid(f"a password has at most {LONGEST} characters")
        async with self._slots:
            return await asyncio.to_thread(self._hasher.hash, text)

    async def matches(self, stored: str | None, password: str) -> bool:
        """Returns whether the password is the stored one; takes as long without one."""
        async with self._slots:
            return await asyncio.to_thread(self._matches, stored, normalised(password)[:LONGEST])

    def _matches(self, stored: str | None, text: str) -> bool:
        nobodys = self._nobodys
        try:
            self._hasher.verify(stored or nobodys, text)
        except (VerificationError, InvalidHashError):
            return False
        return stored is not None

    @cached_property
    def _nobodys(self) -> str:
        """The hash that the password of an unknown account is compared with."""
        return self._hasher.hash(secrets.token_urlsafe(32))


def normalised(password: str) -> str:
    """Returns a password as every keyboard and form sends it."""
    return unicodedata.normalize("NFC", password).strip()
