from collections.abc import AsyncIterator, Sequence
from typing import override

import httpx2
from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout

from saegim.llm.model_config import OPENAI_URL
from saegim.net.errors import FetchFailed
from saegim.net.guard import GuardedTransport, Network

_CONNECT_SECONDS = 5.0
_NO_KEY = "no-key"
# Far above any answer and any list of models.
_MOST_BYTES = 32 * 2**20


class _LimitedStream(httpx2.AsyncByteStream):
    """The body of a response, which fails once it is too large."""

    def __init__(self, inner: httpx2.AsyncByteStream, most: int) -> None:
        self._inner = inner
        self._left = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._inner:
            self._left -= len(piece)
            if self._left < 0:
                raise httpx2.ReadError("the response is too large")
            yield piece

    @override
    async def aclose(self) -> None:
        await self._inner.aclose()


class _GuardedByTenant(GuardedTransport):
    """The guard with errors that the client library knows: a refused address cannot be reached.

    Responses are limited and come uncompressed, since a small one could grow without bound.
    """

    @override
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        request.headers["Accept-Encoding"] = "identity"
        try:
            response = await super().handle_async_request(request)
        except FetchFailed as refused:
            raise httpx2.ConnectError(str(refused), request=request) from refused
        assert isinstance(response.stream, httpx2.AsyncByteStream), "of an asynchronous transport"
        if response.headers.get("Content-Encoding", "identity") != "identity":
            await response.aclose()
            raise httpx2.ReadError("the response is compressed, which was not asked for")
        response.stream = _LimitedStream(response.stream, _MOST_BYTES)
        return response


def openai_client(
    base_url: str | None,
    api_key: str | None,
    seconds: float,
    allowed: Sequence[Network] | None = None,
) -> AsyncOpenAI:
    """Create a client that ignores all `OPENAI_*` environment variables and does not retry.

    A key from the environment must never reach a server from the settings. With `allowed`, for
    URLs of tenants, only public addresses and these networks are reached, without redirects.
    """
    if api_key is None and base_url is None:
        raise ValueError("OpenAI's own models need an API key")
    timeout = Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS))
    http = (
        DefaultAsyncHttpxClient(timeout=timeout)
        if allowed is None
        else DefaultAsyncHttpxClient(
            timeout=timeout,
            transport=_GuardedByTenant(allowed),
            follow_redirects=False,
            trust_env=False,
        )
    )
    client = AsyncOpenAI(
        base_url=_readable(base_url or OPENAI_URL),
        api_key=api_key or _NO_KEY,
        admin_api_key="",
        webhook_secret="",
        timeout=timeout,
        max_retries=0,
        http_client=http,
    )
    client.admin_api_key = client.organization = client.project = client.webhook_secret = None
    # OPENAI_CUSTOM_HEADERS may have a credential, and the constructor cannot disable it.
    client._custom_headers = {}  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    return client


def _readable(base_url: str) -> str:
    """Return the URL; if it is invalid, one without a host: the calls fail, and not the client."""
    try:
        httpx2.URL(base_url)
    except httpx2.InvalidURL:
        return "https:///"
    return base_url
