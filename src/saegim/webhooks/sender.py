"""Send webhooks over HTTPS to public addresses, without redirects."""

import asyncio
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

import httpx2

from saegim.domain.errors import Invalid
from saegim.net.errors import FetchFailed
from saegim.net.guard import GuardedTransport, Network
from saegim.webhooks.types import DeliveryResponse

SECONDS = 10.0
LONGEST_URL = 2_000


class HttpSender:
    """`allowed` are private networks from the operator's settings; they also allow plain HTTP."""

    def __init__(self, allowed: Sequence[Network] = ()) -> None:
        self._plain = bool(allowed)
        self._http = httpx2.AsyncClient(
            transport=GuardedTransport(allowed),
            follow_redirects=False,
            timeout=SECONDS,
            trust_env=False,
            headers={"User-Agent": "saegim-webhooks"},
        )

    def check(self, url: str) -> None:
        """Raise Invalid for a URL that cannot be a webhook."""
        try:
            parts = urlsplit(url)
            has_host = bool(parts.hostname) and (parts.port is None or parts.port > 0)
            httpx2.URL(url)
        except (ValueError, httpx2.InvalidURL) as error:
            raise Invalid("invalid URL") from error
        schemes = ("https", "http") if self._plain else ("https",)
        if parts.scheme not in schemes or not has_host or len(url) > LONGEST_URL:
            raise Invalid("the webhook URL must use https")
        if parts.username is not None or parts.password is not None:
            raise Invalid("the webhook URL must not contain a user name or password")

    async def send(self, url: str, body: bytes, headers: Mapping[str, str]) -> DeliveryResponse:
        """Send a request; network errors are part of the response."""
        try:
            async with (
                asyncio.timeout(SECONDS),
                self._http.stream("POST", url, content=body, headers=dict(headers)) as response,
            ):
                # The response body is ignored.
                return DeliveryResponse(status=response.status_code)
        except FetchFailed as refused:
            return DeliveryResponse(error=refused.fault.value)
        except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError, OSError, ValueError) as error:
            return DeliveryResponse(error=type(error).__name__)

    async def close(self) -> None:
        await self._http.aclose()
