from collections.abc import Mapping
from typing import Any, Protocol


class KeySets(Protocol):
    """HTTP client of OIDC issuers: key sets, discovery documents and token exchange."""

    async def fetch(self, url: str) -> Mapping[str, Any]:
        """Fetches a JSON document. Raises Unavailable."""
        ...

    async def exchange(self, url: str, form: Mapping[str, str]) -> Mapping[str, Any]:
        """Posts a form and returns the response. Raises AuthenticationRequired for a 4xx status,
        and Unavailable."""
        ...
