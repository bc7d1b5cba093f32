"""HTTP client for one base URL."""

import json
from collections.abc import Mapping
from typing import Any

import httpx2

from saegim.tools.types import ToolFailed

MOST_BYTES = 1 << 20
LONGEST_PARAMETER = 500


class JsonOrigin:
    """Reads JSON below one base URL.

    Input of models and users only goes into query parameters, redirects are not followed, and
    responses are limited to 1 MB, so that no input can redirect a request or exhaust memory.
    """

    def __init__(
        self,
        http: httpx2.AsyncClient,
        base_url: str,
        *,
        headers: Mapping[str, str] | None = None,
        parameters: Mapping[str, str] | None = None,
    ) -> None:
        self._http = http
        self._base = base_url.rstrip("/")
        self._headers = dict(headers or {})
        self._parameters = dict(parameters or {})

    async def read(self, path: str, **parameters: str) -> Any:
        """Return the JSON at a path. Raises ToolFailed for any error."""
        bounded = {name: text[:LONGEST_PARAMETER] for name, text in parameters.items()}
        request = self._http.stream(
            "GET",
            f"{self._base}{path}",
            params=self._parameters | bounded,
            headers=self._headers,
            follow_redirects=False,
        )
        try:
            async with request as response:
                if response.status_code != 200:
                    raise ToolFailed(f"http_{response.status_code}")
                return json.loads(await _body(response))
        except httpx2.HTTPError as error:
            raise ToolFailed("unreachable") from error
        except ValueError as error:
            raise ToolFailed("broken_answer") from error


async def _body(response: httpx2.Response) -> bytes:
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > MOST_BYTES:
            raise ToolFailed("too_large")
    return bytes(body)
