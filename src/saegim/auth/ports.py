from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, Protocol
from uuid import UUID

SealPurpose = Literal["token", "sign_in", "code_flow"]


class KeySets(Protocol):
    """Asks issuers: for their public keys, where they sign people in, and for tokens."""

    async def fetch(self, url: str) -> Mapping[str, Any]:
        """The document at an address. Raises Unavailable."""
        ...

    async def exchange(self, url: str, form: Mapping[str, str]) -> Mapping[str, Any]:
        """What an issuer gives for a form. Raises Unauthenticated where it gives nothing for it,
        and Unavailable."""
        ...


class SignInStore(Protocol):
    """The sign-ins at the pages, each until it is ended or over."""

    async def add(
        self, tenant: UUID, sign_in: UUID, member: UUID, now: datetime, expires_at: datetime
    ) -> None:
        """Stores a new sign-in, and removes those of the member that are over."""
        ...

    async def end(self, tenant: UUID, sign_in: UUID, at: datetime) -> None:
        """Ends one sign-in."""
        ...

    async def end_all(self, tenant: UUID, member: UUID, at: datetime) -> None:
        """Ends every sign-in of a member."""
        ...


class TokenSeal(Protocol):
    """Seals what tokens and cookies say, with a key of the tenant's."""

    async def seal(self, purpose: SealPurpose, tenant: UUID, key: UUID, text: str) -> bytes: ...

    async def open(
        self, purpose: SealPurpose, tenant: UUID, key: UUID, sealed: bytes
    ) -> str | None:
        """The text, or None where it was not sealed for this purpose, tenant and key."""
        ...
