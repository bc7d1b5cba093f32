from collections.abc import Sequence

import httpx2
from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout

from saegim.llm.model_config import OPENAI_URL
from saegim.net.errors import FetchFailed
from saegim.net.guard import GuardedTransport, Network

_CONNECT_SECONDS = 5.0
_NO_KEY = "no-key"


class _GuardedByTenant(GuardedTransport):
    """The guard with errors that the client library knows: a refused address cannot be reached."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        try:
            return await super().handle_async_request(request)
        except FetchFailed as refused:
            raise httpx2.ConnectError(str(refused), request=request) from refused


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
        base_url=base_url or OPENAI_URL,
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
