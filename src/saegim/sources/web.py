"""Fetch pages with robots.txt, a crawl delay and limits."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Self
from urllib.parse import urljoin, urlsplit

import httpx2

from saegim import __version__
from saegim.net.errors import FetchFailed, FetchFault
from saegim.net.guard import GuardedTransport
from saegim.sources import robots
from saegim.sources.listings import gunzip
from saegim.sources.robots import AGENT, Robots
from saegim.sources.types import CrawlLimits

MOST_REDIRECTS = 5
REDIRECTS = frozenset({301, 302, 303, 307, 308})
RETRY_LATER = frozenset({408, 425, 429})


@dataclass(frozen=True, slots=True)
class WebTimes:
    connect_seconds: float = 5.0
    read_seconds: float = 20.0
    whole_seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class WebResponse:
    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class Web:
    """A client for one sync, with its robots.txt rules and delays."""

    def __init__(
        self,
        transport: GuardedTransport,
        limits: CrawlLimits,
        times: WebTimes | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._limits = limits
        self._monotonic, self._sleep = monotonic, sleep
        self._times = times or WebTimes()
        connect, read = self._times.connect_seconds, self._times.read_seconds
        self._http = httpx2.AsyncClient(
            transport=transport,
            trust_env=False,
            timeout=httpx2.Timeout(read, connect=connect),
            headers={
                "User-Agent": f"{AGENT}/{__version__}",
                # The client would decompress without a limit.
                "Accept-Encoding": "identity",
            },
        )
        self._robots: dict[str, Robots] = {}
        self._next_at: dict[str, float] = {}

    async def __aenter__(self) -> Self:
        await self._http.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def get(self, url: str, headers: Mapping[str, str] | None = None) -> WebResponse:
        """Fetch a page, over at most five allowed redirects. Raises FetchFailed."""
        for _ in range(MOST_REDIRECTS + 1):
            rules = await self._rules_of(url)
            if not rules.allows(url):
                raise FetchFailed(FetchFault.DISALLOWED)
            await self._pause(url, rules)
            page = await self.request(url, headers, self._limits.bytes_each)
            if page.status not in REDIRECTS:
                return checked(page)
            url = follow(url, page)
        raise FetchFailed(FetchFault.REDIRECTS)

    async def request(self, url: str, headers: Mapping[str, str] | None, most: int) -> WebResponse:
        """Send one request, limited in size and time; return any response."""
        check_address(url)
        try:
            async with (
                asyncio.timeout(self._times.whole_seconds),
                self._http.stream("GET", url, headers=headers) as response,
            ):
                content = await _read(response, most)
        except (httpx2.TimeoutException, TimeoutError) as error:
            raise FetchFailed(FetchFault.TIMEOUT, outage=True) from error
        except (httpx2.TransportError, httpx2.InvalidURL) as error:
            raise FetchFailed(FetchFault.UNREACHABLE, outage=True) from error
        names = {name.lower(): value for name, value in response.headers.items()}
        if names.get("content-encoding", "identity") not in ("identity", ""):
            content = gunzip(content, most)
        return WebResponse(response.status_code, names, content)

    async def _rules_of(self, url: str) -> Robots:
        address = urlsplit(url)
        site = f"{address.scheme}://{address.netloc}"
        if site not in self._robots:
            self._robots[site] = await self._fetch_robots(f"{site}/robots.txt")
        return self._robots[site]

    async def _fetch_robots(self, url: str) -> Robots:
        """Return the rules of a site; without a file all is allowed. Raises FetchFailed."""
        for _ in range(MOST_REDIRECTS + 1):
            page = await self.request(url, None, robots.LARGEST_BYTES)
            if page.status in REDIRECTS:
                url = follow(url, page)
            elif page.status == 200:
                return robots.parse(page.content.decode("utf-8", "replace"))
            elif page.status >= 500 or page.status in RETRY_LATER:
                raise FetchFailed(FetchFault.HTTP, f"{page.status} robots.txt", outage=True)
            else:
                return Robots()
        return Robots()

    async def _pause(self, url: str, rules: Robots) -> None:
        """Wait for the crawl delay of the host."""
        host = urlsplit(url).netloc
        now = self._monotonic()
        at = max(self._next_at.get(host, 0.0), now)
        self._next_at[host] = at + max(self._limits.delay_seconds, rules.delay_seconds)
        await self._sleep(at - now)


def check_address(url: str) -> None:
    """Raise FetchFailed for anything but an http(s) URL without credentials."""
    try:
        address = urlsplit(url)
        wrong = address.scheme not in ("http", "https") or not address.hostname or address.port == 0
    except ValueError as error:
        raise FetchFailed(FetchFault.WRONG_ADDRESS) from error
    if wrong or "@" in address.netloc:
        raise FetchFailed(FetchFault.WRONG_ADDRESS)


def follow(url: str, page: WebResponse) -> str:
    target = page.headers.get("location")
    if not target:
        raise FetchFailed(FetchFault.HTTP, f"{page.status} without a location")
    return urljoin(url, target)


def checked(page: WebResponse) -> WebResponse:
    """Return a usable response. Raises FetchFailed for any other status."""
    if page.status in (200, 304, 404, 410):
        return page
    outage = page.status >= 500 or page.status in RETRY_LATER
    raise FetchFailed(FetchFault.HTTP, str(page.status), outage=outage)


def http_date(value: str | None) -> datetime | None:
    """Return the time of a header such as Last-Modified, if it has one."""
    try:
        found = parsedate_to_datetime(value or "")
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


async def _read(response: httpx2.Response, most: int) -> bytes:
    length = response.headers.get("content-length", "0")
    if length.isdigit() and int(length) > most:
        raise FetchFailed(FetchFault.TOO_LARGE)
    content = bytearray()
    async for piece in response.aiter_raw():
        content += piece
        if len(content) > most:
            raise FetchFailed(FetchFault.TOO_LARGE)
    return bytes(content)
