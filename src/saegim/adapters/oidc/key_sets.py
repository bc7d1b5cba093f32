"""Asks issuers for keys and tokens: implements `KeySets`.

An admin of any tenant names the address, so it may lead nowhere but out: public addresses, no
redirects, little to read."""

import asyncio
import ipaddress
import json
import socket
from collections.abc import Mapping
from typing import Any, cast

import httpx2

from saegim.domain.errors import Unauthenticated, Unavailable

SECONDS = 3.0
MOST_BYTES = 256_000


class HttpKeySets:
    """`private` lets addresses of one's own network in, for an issuer that runs there."""

    def __init__(self, *, private: bool = False) -> None:
        self._private = private

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
        if not self._private:
            await _require_public(where.host, where.port or 443)
        headers = {"Accept": "application/json"}
        try:
            async with (
                asyncio.timeout(SECONDS),
                httpx2.AsyncClient(follow_redirects=False, timeout=SECONDS) as http,
                http.stream(method, url, headers=headers, data=form) as response,
            ):
                if form is not None and 400 <= response.status_code < 500:
                    raise Unauthenticated
                response.raise_for_status()
                content = await _bounded(response)
            found = json.loads(content)
        except (httpx2.HTTPError, TimeoutError, OSError, ValueError) as error:
            raise Unavailable("the issuer cannot be asked") from error
        if not isinstance(found, dict):
            raise Unavailable("the issuer's answer is not an object")
        return cast("dict[str, Any]", found)


async def _bounded(response: httpx2.Response) -> bytes:
    content = b""
    async for piece in response.aiter_bytes():
        content += piece
        if len(content) > MOST_BYTES:
            raise Unavailable("the issuer's key set is too large")
    return content


async def _require_public(host: str, port: int) -> None:
    """Raises Unavailable where a name leads into a private network or to this machine."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise Unavailable("the issuer's name is not known") from error
    for *_, address in found:
        if not ipaddress.ip_address(str(address[0]).partition("%")[0]).is_global:
            raise Unavailable("the issuer's address is not a public one")
