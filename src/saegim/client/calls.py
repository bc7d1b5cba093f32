"""Requests to the server, and parsing of its responses."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

import httpx2

from saegim.client.types import Shape


def matching(if_match: str | None) -> dict[str, str]:
    """Return the header that makes a change fail if the object has another ETag."""
    return {} if if_match is None else {"If-Match": if_match}


async def parse[T: Shape](shape: type[T], response: Awaitable[httpx2.Response]) -> T:
    return shape.model_validate_json((await response).text)


async def parse_list[T: Shape](shape: type[T], response: Awaitable[httpx2.Response]) -> list[T]:
    return [shape.model_validate(each) for each in (await response).json()]


async def parse_pages[T: Shape](
    shape: type[T], name: str, get: Callable[..., Awaitable[httpx2.Response]], **params: Any
) -> AsyncIterator[T]:
    """Yield the items of all pages; `next_before` or `next_after` of a page selects the next."""
    while True:
        page = (await get(params=params)).json()
        for item in page[name]:
            yield shape.model_validate(item)
        following = {
            key.removeprefix("next_"): page[key]
            for key in page
            if key.startswith("next_") and page[key]
        }
        if not following:
            return
        params |= following


class Calls(ABC):
    """Base of the groups of calls."""

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
        """Send a request, with retries, and return a successful response."""

    async def _all[T: Shape](self, shape: type[T], path: str) -> list[T]:
        """Return the items of all pages of a list, following its `Link` headers."""
        items: list[T] = []
        url: str | None = path
        while url is not None:
            response = await self._call("GET", url)
            items += [shape.model_validate(each) for each in response.json()]
            url = response.links.get("next", {}).get("url")
        return items
