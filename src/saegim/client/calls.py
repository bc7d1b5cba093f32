"""What every part of the client calls with."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import httpx2


class Calls(ABC):
    """One call to the server, as a part of the client makes it."""

    @abstractmethod
    async def _call(
        self,
        method: str,
        path: str,
        json: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, Any] | None = None,
        content: bytes | None = None,
    ) -> httpx2.Response:
        """A good response, however many tries it takes."""
