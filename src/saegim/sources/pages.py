"""Read a list of URLs, or a sitemap."""

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
from saegim.sources.web import Web, WebResponse, http_date

MOST_SITEMAPS = 50
LARGEST_SITEMAP_BYTES = 50 << 20

List = Callable[[], Awaitable[SourceListing]]


class PageReader:
    """Reads listed pages with conditional requests."""

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
            http_date(headers.get("last-modified")),
        )


def conditions(known: Item | None) -> dict[str, str]:
    if known is None:
        return {}
    validators = {"If-None-Match": known.etag, "If-Modified-Since": known.modified}
    return {name: value for name, value in validators.items() if value}


def check_kind(url: str, page: WebResponse) -> None:
    """Raise FetchFailed for a page of an unsupported type."""
    if page.media_type in SUFFIXES:
        return
    suffix = PurePosixPath(urlsplit(url).path).suffix.lower()
    if page.media_type not in GENERIC_TYPES or (suffix and suffix not in READABLE_NAMES):
        raise FetchFailed(FetchFault.UNSUPPORTED, page.media_type)


def url_list(origin: UrlList, limits: CrawlLimits) -> List:
    async def entries() -> SourceListing:
        urls = list(dict.fromkeys(origin.urls))
        entries = tuple(Entry(url) for url in urls[: limits.items])
        return SourceListing(entries, complete=len(urls) <= limits.items)

    return entries


def sitemap(origin: Sitemap, web: Web, limits: CrawlLimits) -> List:
    """List the pages of a sitemap and its nested sitemaps, on the same host."""

    async def entries() -> SourceListing:
        host = urlsplit(origin.url).hostname
        pages: dict[str, None] = {}
        queue, sitemaps = [origin.url], 0
        while queue:
            if sitemaps == MOST_SITEMAPS or len(pages) > limits.items:
                return _listing(pages, limits, complete=False)
            nested, listed = await _read_sitemap(web, queue.pop(0))
            sitemaps += 1
            # Only the first sitemap may name others.
            queue += [url for url in nested if _host(url) == host] if sitemaps == 1 else []
            pages |= dict.fromkeys(url for url in listed if _host(url) == host)
        return _listing(pages, limits, complete=True)

    return entries


async def _read_sitemap(web: Web, url: str) -> tuple[list[str], list[str]]:
    """Return the sitemaps and the pages in a sitemap."""
    page = await web.get(url)
    if page.status != 200:
        raise FetchFailed(FetchFault.HTTP, f"{page.status} sitemap")
    tree = read(gunzip(page.content, LARGEST_SITEMAP_BYTES), frozenset({"sitemap", "url"}))
    if tree.root.name not in ("urlset", "sitemapindex"):
        raise FetchFailed(FetchFault.LISTING)
    urls: dict[str, list[str]] = {"sitemap": [], "url": []}
    for element in tree.elements:
        if location := element.fields.get("loc"):
            urls[element.name].append(location)
    return urls["sitemap"], urls["url"]


def _listing(pages: dict[str, None], limits: CrawlLimits, *, complete: bool) -> SourceListing:
    fitting = [url for url in pages if len(url.encode()) <= LONGEST_KEY_BYTES]
    entries = tuple(Entry(url) for url in fitting[: limits.items])
    return SourceListing(entries, complete and len(fitting) <= limits.items)


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None
