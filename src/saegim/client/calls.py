"""What every part of the client calls with."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping
from typing import Any

import httpx2


def matching(if_match: str | None) -> dict[str, str]:
    """The header that lets a change be refused where it is not of what was seen."""
    return {} if if_match is None else {"If-Match": if_match}


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

    async def _pages(self, path: str) -> AsyncIterator[httpx2.Response]:
        """Every page of a list that is an array, as its `Link` names them."""
        following: str | None = path
        while following is not None:
            response = await self._call("GET", following)
            yield response
            following = response.links.get("next", {}).get("url")
