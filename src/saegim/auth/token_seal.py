"""Seals tokens and cookies."""

from collections.abc import Awaitable, Callable
from typing import Literal
from uuid import UUID

from saegim.encryption.cipher import FieldLocation, SealBroken
from saegim.encryption.keyring import Keyring

SealPurpose = Literal["token", "sign_in", "code_flow"]


class KeyringTokenSeal:
    """Seals with the tenant's cipher; what was sealed for another purpose does not open.

    Opening makes no key and asks the keyring only for tenants that exist: anybody on the network
    can send a cookie that names any tenant."""

    def __init__(self, keyring: Keyring, tenant_exists: Callable[[UUID], Awaitable[bool]]) -> None:
        self._keyring = keyring
        self._tenant_exists = tenant_exists

    async def seal(self, purpose: SealPurpose, tenant: UUID, key: UUID, text: str) -> bytes:
        return (await self._keyring.tenant(tenant)).seal(text, _place(purpose, tenant, key))

    async def open(
        self, purpose: SealPurpose, tenant: UUID, key: UUID, sealed: bytes
    ) -> str | None:
        """The text, or None where it was not sealed for this purpose, tenant and key."""
        if not self._keyring.has_cached(tenant) and not await self._tenant_exists(tenant):
            return None
        cipher = await self._keyring.existing_tenant(tenant)
        if cipher is None:
            return None
        try:
            return cipher.open(sealed, _place(purpose, tenant, key))
        except (SealBroken, ValueError):
            return None


def _place(purpose: SealPurpose, tenant: UUID, key: UUID) -> FieldLocation:
    return FieldLocation(f"{purpose}:{tenant.hex}", key)
