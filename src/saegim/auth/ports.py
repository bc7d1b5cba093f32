from collections.abc import Mapping
from typing import Any, Protocol


class KeySets(Protocol):
    """Asks issuers: for their public keys, where they sign people in, and for tokens."""

    async def fetch(self, url: str) -> Mapping[str, Any]:
        """The document at an address. Raises Unavailable."""
        ...

    async def exchange(self, url: str, form: Mapping[str, str]) -> Mapping[str, Any]:
        """What an issuer gives for a form. Raises Unauthenticated where it gives nothing for it,
        and Unavailable."""
        ...
