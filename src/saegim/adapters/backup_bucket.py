"""Backups in an S3-compatible bucket, each one object."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable
from hashlib import file_digest
from pathlib import Path
from urllib.parse import urlsplit

import httpx2

from saegim.adapters.sources.signing import EMPTY_BODY, Credentials, Signable, path_of, sign
from saegim.domain.clock import Clock
from saegim.domain.errors import NotFound, StoreUnavailable

PIECE_BYTES = 1 << 20
REACH_SECONDS = 60.0
NOT_FOUND = 404


class BackupBucket:
    """Sends and fetches whole files. An object of one request has 5 GB at most."""

    def __init__(
        self,
        endpoint: str,
        who: Credentials,
        clock: Clock,
        trusted: ssl.SSLContext | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._who = who
        self._clock = clock
        self._trusted = trusted

    async def put(self, name: str, file: Path) -> None:
        """Writes a file as `bucket/key`. Raises StoreUnavailable."""
        digest, size = await asyncio.to_thread(_measure, file)
        async with self._client() as http:
            url, headers = self._signed("PUT", name, digest)
            response = await _reaching(
                http.put(
                    url, headers={**headers, "Content-Length": str(size)}, content=_pieces(file)
                )
            )
            _check(response, name)

    async def get(self, name: str, file: Path) -> None:
        """Reads `bucket/key` into a file. Raises NotFound, StoreUnavailable."""
        async with self._client() as http:
            url, headers = self._signed("GET", name, EMPTY_BODY)
            response = await _reaching(
                http.send(http.build_request("GET", url, headers=headers), stream=True)
            )
            try:
                _check(response, name)
                with file.open("wb") as written:
                    async for piece in response.aiter_bytes(PIECE_BYTES):
                        written.write(piece)
            except httpx2.TransportError as cut:
                raise StoreUnavailable(str(cut)) from cut
            finally:
                await response.aclose()

    def _client(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(timeout=REACH_SECONDS, verify=self._trusted or True)

    def _signed(self, method: str, name: str, body: str) -> tuple[str, dict[str, str]]:
        address = urlsplit(self._endpoint)
        path = f"{address.path.rstrip('/')}/{name}"
        what = Signable(address.netloc, path, method=method, body=body)
        url = f"{address.scheme}://{address.netloc}{path_of(path)}"
        return url, sign(self._who, what, self._clock.now())


async def _reaching(asked: Awaitable[httpx2.Response]) -> httpx2.Response:
    try:
        return await asked
    except httpx2.TransportError as outage:
        raise StoreUnavailable(str(outage)) from outage


def _check(response: httpx2.Response, name: str) -> None:
    if response.status_code == NOT_FOUND:
        raise NotFound(name)
    if not response.is_success:
        raise StoreUnavailable(f"the bucket answered {response.status_code}")


async def _pieces(file: Path) -> AsyncIterator[bytes]:
    with file.open("rb") as content:
        while piece := await asyncio.to_thread(content.read, PIECE_BYTES):
            yield piece


def _measure(file: Path) -> tuple[str, int]:
    with file.open("rb") as content:
        return file_digest(content, "sha256").hexdigest(), content.tell()
