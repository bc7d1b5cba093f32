"""Read an S3-compatible bucket by listing and getting objects."""

import unicodedata
from collections.abc import Mapping
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from saegim.domain.ids import Clock
from saegim.library.media_types import READABLE_NAMES
from saegim.net.errors import FetchFailed, FetchFault
from saegim.sources.listings import Tree, read
from saegim.sources.signing import SigningCredentials, path_of, query_string, sign
from saegim.sources.types import (
    LONGEST_KEY_BYTES,
    Bucket,
    Content,
    CrawlLimits,
    Entry,
    Item,
    NoContent,
    SourceListing,
)
from saegim.sources.web import Web, WebResponse, checked, http_date

LARGEST_LISTING_BYTES = 8 << 20
MOST_LISTED = 200_000


class BucketReader:
    def __init__(self, web: Web, bucket: Bucket, limits: CrawlLimits, clock: Clock) -> None:
        self._web = web
        self._bucket = bucket
        self._limits = limits
        self._clock = clock
        self._credentials = SigningCredentials(bucket.access_key, bucket.secret_key, bucket.region)
        self._names: dict[str, str] = {}

    async def entries(self) -> SourceListing:
        """List objects with supported names; tag and size are the version."""
        entries: list[Entry] = []
        query = {"list-type": "2", "prefix": self._bucket.prefix, "max-keys": "1000"}
        for _ in range(MOST_LISTED // 1000):
            tree = await self._list(query)
            listed = (self._entry(element.fields) for element in tree.elements)
            entries += [entry for entry in listed if entry is not None]
            if tree.root.fields.get("IsTruncated") != "true":
                complete = len(entries) <= self._limits.items
                return SourceListing(tuple(entries[: self._limits.items]), complete)
            token = tree.root.fields.get("NextContinuationToken")
            if not token:
                raise FetchFailed(FetchFault.LISTING)
            query["continuation-token"] = token
            if len(entries) > self._limits.items:
                break
        return SourceListing(tuple(entries[: self._limits.items]), complete=False)

    async def fetch(self, entry: Entry, known: Item | None) -> Content | NoContent:
        name = self._names.get(entry.key, entry.key)
        conditions = {"If-None-Match": known.etag} if known and known.etag else {}
        page = checked(await self._get(f"/{name}", {}, self._limits.bytes_each, conditions))
        if page.status == 304 and known is not None:
            return NoContent.UNCHANGED
        if page.status != 200:
            # Just listed: the next listing decides whether it is gone.
            raise FetchFailed(FetchFault.HTTP, str(page.status))
        changed_at = http_date(page.headers.get("last-modified"))
        return Content(page.content, None, page.headers.get("etag"), changed_at=changed_at)

    def _entry(self, fields: Mapping[str, str]) -> Entry | None:
        name = fields.get("Key", "")
        key = unicodedata.normalize("NFC", name.removeprefix(self._bucket.prefix).lstrip("/"))
        if PurePosixPath(name).suffix.lower() not in READABLE_NAMES or name.endswith("/"):
            return None
        if not key or len(key.encode()) > LONGEST_KEY_BYTES:
            return None
        self._names[key] = name
        return Entry(key, f"{fields.get('ETag', '')}:{fields.get('Size', '')}")

    async def _list(self, query: Mapping[str, str]) -> Tree:
        page = await self._get("", query, LARGEST_LISTING_BYTES)
        if page.status != 200:
            outage = page.status >= 500
            raise FetchFailed(FetchFault.HTTP, f"{page.status} listing", outage=outage)
        tree = read(page.content, frozenset({"Contents"}))
        if tree.root.name != "ListBucketResult":
            raise FetchFailed(FetchFault.LISTING)
        return tree

    async def _get(
        self,
        name: str,
        query: Mapping[str, str],
        most: int,
        conditions: Mapping[str, str] | None = None,
    ) -> WebResponse:
        address = urlsplit(self._bucket.endpoint)
        path = f"{address.path.rstrip('/')}/{self._bucket.bucket}{name}"
        signed = sign(self._credentials, address.netloc, path, query, self._clock.now())
        parameters = f"?{query_string(query)}" if query else ""
        url = f"{address.scheme}://{address.netloc}{path_of(path)}{parameters}"
        return await self._web.request(url, {**signed, **(conditions or {})}, most)
