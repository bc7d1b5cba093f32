"""Asks issuers for keys and tokens: implements `KeySets`.

An admin of any tenant names the address, so it may lead nowhere but out: public addresses, no
redirects, little to read."""

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
    """`private` lets addresses of one's own network in, for an issuer that runs there."""

    def __init__(self, *, private: bool = False, trusted: ssl.SSLContext | None = None) -> None:
        self._allowed = EVERYWHERE if private else ()
        self._trusted = trusted or system_certificates()

    async def fetch(self, url: str) -> Mapping[str, Any]:
        return await self._ask("GET", url)

    async def exchange(self, url: str, form: Mapping[str, str]) -> Mapping[str, Any]:
        return await self._ask("POST", url, form)

    async def _ask(
        self, method: str, url: str, form: Mapping[str, str] | None = None
    ) -> Mapping[str, Any]:
        where = httpx2.URL(url)
        if where.scheme != "https":
            raise Unavailable("issuers are asked over https only")
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
            found = json.loads(content)
        except FetchFailed as refused:
            raise Unavailable(f"the issuer cannot be asked: {refused.fault.value}") from refused
        except (httpx2.HTTPError, TimeoutError, OSError, ValueError) as error:
            raise Unavailable("the issuer cannot be asked") from error
        if not isinstance(found, dict):
            raise Unavailable("the issuer's answer is not an object")
        return cast("dict[str, Any]", found)

    def _client(self) -> httpx2.AsyncClient:
        """The address that was checked is the one that is used, whatever a proxy setting says."""
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
            raise Unavailable("the issuer's key set is too large")
    return content
