"""HTTP client of OIDC issuers.

Tenant admins choose the URLs, so requests are guarded against SSRF: public addresses only, no
redirects, small responses."""

import asyncio
import json
import ssl
from collections.abc import Mapping
from typing import Any, cast

import httpx2

from saegim.domain.errors import AuthenticationRequired, Unavailable
from saegim.net.certificates import system_certificates
from saegim.net.errors import FetchFailed
from saegim.net.guard import GuardedTransport, networks

SECONDS = 3.0
MOST_BYTES = 256_000
EVERYWHERE = networks(("0.0.0.0/0", "::/0"))


class HttpKeySets:
    """`private` also allows private addresses, for an issuer in the same network."""

    def __init__(self, *, private: bool = False, trusted: ssl.SSLContext | None = None) -> None:
        self._allowed = EVERYWHERE if private else ()
        self._trusted = trusted or system_certificates()

    async def fetch(self, url: str) -> Mapping[str, Any]:
        return await self._request("GET", url)

    async def exchange(self, url: str, form: Mapping[str, str]) -> Mapping[str, Any]:
        return await self._request("POST", url, form)

    async def _request(
        self, method: str, url: str, form: Mapping[str, str] | None = None
    ) -> Mapping[str, Any]:
        if httpx2.URL(url).scheme != "https":
            raise Unavailable("the issuer URL must be https")
        headers = {"Accept": "application/json"}
        try:
            async with (
                asyncio.timeout(SECONDS),
                self._client() as http,
                http.stream(method, url, headers=headers, data=form) as response,
            ):
                if form is not None and 400 <= response.status_code < 500:
                    raise AuthenticationRequired
                response.raise_for_status()
                content = await _bounded(response)
            document = json.loads(content)
        except FetchFailed as refused:
            raise Unavailable(f"the issuer is unreachable: {refused.fault.value}") from refused
        except (httpx2.HTTPError, TimeoutError, OSError, ValueError) as error:
            raise Unavailable("the issuer is unreachable") from error
        if not isinstance(document, dict):
            raise Unavailable("the issuer's response is not a JSON object")
        return cast("dict[str, Any]", document)

    def _client(self) -> httpx2.AsyncClient:
        """Ignores proxy settings: the guard must connect to the address that it checked."""
        return httpx2.AsyncClient(
            transport=GuardedTransport(self._allowed, self._trusted),
            follow_redirects=False,
            timeout=SECONDS,
            trust_env=False,
        )


async def _bounded(response: httpx2.Response) -> bytes:
    content = b""
    async for piece in response.aiter_bytes():
        content += piece
        if len(content) > MOST_BYTES:
            raise Unavailable("the issuer's response is too large")
    return content
