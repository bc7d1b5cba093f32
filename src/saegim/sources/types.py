"""Sources, their items and the results of the last sync."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol
from uuid import UUID

# Fits a Postgres index entry beside the ids.
LONGEST_KEY_BYTES = 1_500


class SourceKind(StrEnum):
    """How a source is read."""

    FOLDER = "folder"
    URLS = "urls"
    SITEMAP = "sitemap"
    S3 = "s3"


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder on the disk of the server that runs the worker."""

    path: str
    kind = SourceKind.FOLDER


@dataclass(frozen=True, slots=True)
class UrlList:
    urls: tuple[str, ...]
    kind = SourceKind.URLS


@dataclass(frozen=True, slots=True)
class Sitemap:
    url: str
    kind = SourceKind.SITEMAP


@dataclass(frozen=True, slots=True)
class Bucket:
    """The objects under a prefix of an S3-compatible bucket."""

    endpoint: str
    region: str
    bucket: str
    prefix: str
    access_key: str
    secret_key: str
    kind = SourceKind.S3


Origin = Folder | UrlList | Sitemap | Bucket


@dataclass(frozen=True, slots=True)
class CrawlLimits:
    items: int = 1_000
    bytes_each: int = 20 << 20
    bytes_total: int = 1 << 30
    delay_seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class NewSource:
    """A source to add; `collection` is a name."""

    origin: Origin
    collection: str
    type: str
    every_seconds: int
    limits: CrawlLimits


@dataclass(frozen=True, slots=True)
class RunCounts:
    """Counts of the running or the last sync."""

    listed: int = 0
    changed: int = 0
    unchanged: int = 0
    failed: int = 0
    removed: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Source:
    """A connected source and the state of its last sync."""

    id: UUID
    tenant: UUID
    collection: UUID
    origin: Origin
    type: str
    every_seconds: int
    limits: CrawlLimits
    removing: bool
    run: UUID | None
    synced_at: datetime | None
    error: str | None
    counts: RunCounts


@dataclass(frozen=True, slots=True)
class FailingItem:
    """An item that could not be ingested, and why."""

    key: str
    error: str


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """A source with its documents and failing items."""

    source: Source
    collection: str
    documents: int
    failing: tuple[FailingItem, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """An item in a listing; `version` changes with its content, if known."""

    key: str
    version: str | None = None


@dataclass(frozen=True, slots=True)
class SourceListing:
    """The items of a source; an incomplete listing proves no item gone."""

    entries: tuple[Entry, ...]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Item:
    """What is stored of an item from the last sync."""

    key: str
    version: str | None = None
    etag: str | None = None
    modified: str | None = None
    content_hash: bytes | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """An item's bytes, the validators for the next conditional request, and when it was changed."""

    content: bytes
    media_type: str | None = None
    etag: str | None = None
    modified: str | None = None
    changed_at: datetime | None = None


class NoContent(StrEnum):
    """A reader's answer without content."""

    UNCHANGED = "unchanged"
    GONE = "gone"


class SourceReader(Protocol):
    """Reads a source for one sync. Both methods raise FetchFailed."""

    async def entries(self) -> SourceListing: ...

    async def fetch(self, entry: Entry, known: Item | None) -> Content | NoContent:
        """Fetch an item unless it is gone or unchanged."""
        ...
