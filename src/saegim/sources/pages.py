"""A list of URLs, or a sitemap: implements `SourceReader` over the web."""

from collections.abc import Awaitable, Callable
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from saegim.library.media_types import GENERIC_TYPES, READABLE_NAMES, SUFFIXES
from saegim.net.errors import FetchFailed, FetchFault
from saegim.sources.listings import gunzip, read
from saegim.sources.types import (
    LONGEST_KEY_BYTES,
    Content,
    CrawlLimits,
    Entry,
    Item,
    NoContent,
    Sitemap,
    SourceListing,
    UrlList,
)
from saegim.sources.web import Web, WebResponse

MOST_SITEMAPS = 50
LARGEST_SITEMAP_BYTES = 50 << 20

List = Callable[[], Awaitable[SourceListing]]


class PageReader:
    """Pages as a list names them; only pages that changed are sent again by their server."""

    def __init__(self, web: Web, entries: List) -> None:
        self._web = web
        self._entries = entries

    async def entries(self) -> SourceListing:
        return await self._entries()

    async def fetch(self, entry: Entry, known: Item | None) -> Content | NoContent:
        page = await self._web.get(entry.key, conditions(known))
        if page.status == 304 and known is not None:
            return NoContent.UNCHANGED
        if page.status in (404, 410):
            return NoContent.GONE
        if page.status != 200:
            raise FetchFailed(FetchFault.HTTP, str(page.status))
        check_kind(entry.key, page)
        headers = page.headers
        return Content(
            page.content,
            page.media_type or None,
            headers.get("etag"),
            headers.get("last-modified"),
        )


def conditions(known: Item | None) -> dict[str, str]:
    """Asks a server to send a page only if it is not the one that is known."""
    given = {
        "If-None-Match": known and known.etag,
        "If-Modified-Since": known and known.modified,
    }
    return {name: value for name, value in given.items() if value}


def check_kind(url: str, page: WebResponse) -> None:
    """Raises Unfetched for a page of a kind that nobody reads."""
    if page.media_type in SUFFIXES:
        return
    suffix = PurePosixPath(urlsplit(url).path).suffix.lower()
    if page.media_type not in GENERIC_TYPES or (suffix and suffix not in READABLE_NAMES):
        raise FetchFailed(FetchFault.UNSUPPORTED, page.media_type)


def url_list(origin: UrlList, limits: CrawlLimits) -> List:
    """The URLs themselves."""

    async def entries() -> SourceListing:
        urls = list(dict.fromkeys(origin.urls))
        chosen = tuple(Entry(url) for url in urls[: limits.items])
        return SourceListing(chosen, complete=len(chosen) == len(urls))

    return entries


def sitemap(origin: Sitemap, web: Web, limits: CrawlLimits) -> List:
    """What a sitemap names, or those that it names, on its own host alone."""

    async def entries() -> SourceListing:
        host = urlsplit(origin.url).hostname
        found: dict[str, None] = {}
        waiting, read_so_far = [origin.url], 0
        while waiting:
            if read_so_far == MOST_SITEMAPS or len(found) > limits.items:
                return _listing(found, limits, complete=False)
            nested, pages = await _read_sitemap(web, waiting.pop(0))
            read_so_far += 1
            # A sitemap that is named by another names pages alone.
            waiting += [url for url in nested if _at(url) == host] if read_so_far == 1 else []
            found |= dict.fromkeys(url for url in pages if _at(url) == host)
        return _listing(found, limits, complete=True)

    return entries


async def _read_sitemap(web: Web, url: str) -> tuple[list[str], list[str]]:
    """The sitemaps and the pages that one names."""
    page = await web.get(url)
    if page.status != 200:
        raise FetchFailed(FetchFault.HTTP, f"{page.status} sitemap")
    tree = read(gunzip(page.content, LARGEST_SITEMAP_BYTES), frozenset({"sitemap", "url"}))
    if tree.root.name not in ("urlset", "sitemapindex"):
        raise FetchFailed(FetchFault.LISTING)
    named = [(one.name, one.fields.get("loc", "")) for one in tree.elements]
    return (
        [url for kind, url in named if kind == "sitemap" and url],
        [url for kind, url in named if kind == "url" and url],
    )


def _listing(found: dict[str, None], limits: CrawlLimits, *, complete: bool) -> SourceListing:
    fitting = [url for url in found if len(url.encode()) <= LONGEST_KEY_BYTES]
    entries = tuple(Entry(url) for url in fitting[: limits.items])
    return SourceListing(entries, complete and len(fitting) <= limits.items)


def _at(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None
