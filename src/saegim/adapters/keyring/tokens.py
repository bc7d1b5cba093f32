"""Seals end users' tokens: implements `TokenSeal`."""

from uuid import UUID

from saegim.adapters.keyring.cipher import Place, SealBroken
from saegim.adapters.keyring.keyring import Keyring


class KeyringTokenSeal:
    """The tenant's cipher, for tokens alone: what it sealed for another place does not open."""

    def __init__(self, keyring: Keyring) -> None:
        self._keyring = keyring

    async def seal(self, tenant: UUID, key: UUID, text: str) -> bytes:
        return (await self._keyring.tenant(tenant)).seal(text, _place(tenant, key))

    async def open(self, tenant: UUID, key: UUID, sealed: bytes) -> str | None:
        cipher = await self._keyring.tenant(tenant)
        try:
            return cipher.open(sealed, _place(tenant, key))
        except (SealBroken, ValueError):
            return None


def _place(tenant: UUID, key: UUID) -> Place:
    return Place(f"token:{tenant.hex}", key)
