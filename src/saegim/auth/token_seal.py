"""Encryption of tokens and cookies."""

from collections.abc import Awaitable, Callable
from typing import Literal
from uuid import UUID

from saegim.encryption.cipher import FieldLocation, SealBroken
from saegim.encryption.keyring import Keyring

SealPurpose = Literal["token", "sign_in", "code_flow"]


class KeyringTokenSeal:
    """Encrypts with the tenant's key, bound to a purpose.

    Opening creates no key and asks the keyring only for existing tenants: anybody can send a cookie
    that names any tenant."""

    def __init__(self, keyring: Keyring, tenant_exists: Callable[[UUID], Awaitable[bool]]) -> None:
        self._keyring = keyring
        self._tenant_exists = tenant_exists

    async def seal(self, purpose: SealPurpose, tenant: UUID, key: UUID, text: str) -> bytes:
        return (await self._keyring.tenant(tenant)).seal(text, _location(purpose, tenant, key))

    async def open(
        self, purpose: SealPurpose, tenant: UUID, key: UUID, sealed: bytes
    ) -> str | None:
        """Decrypts; returns None if it was sealed for another purpose, tenant or key."""
        if not self._keyring.has_cached(tenant) and not await self._tenant_exists(tenant):
            return None
        cipher = await self._keyring.existing_tenant(tenant)
        if cipher is None:
            return None
        try:
            return cipher.open(sealed, _location(purpose, tenant, key))
        except (SealBroken, ValueError):
            return None


def _location(purpose: SealPurpose, tenant: UUID, key: UUID) -> FieldLocation:
    return FieldLocation(f"{purpose}:{tenant.hex}", key)
