"""A source's words: where documents come from, what is there, and how the last look went."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

# What an index of Postgres can hold beside the ids.
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
    """Pages, one by one."""

    urls: tuple[str, ...]
    kind = SourceKind.URLS


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The pages that a site's own list names."""

    url: str
    kind = SourceKind.SITEMAP


@dataclass(frozen=True, slots=True)
class Bucket:
    """What stands under a prefix of an S3-compatible bucket."""

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
    """What one look at a source may take."""

    items: int = 1_000
    bytes_each: int = 20 << 20
    bytes_total: int = 1 << 30
    delay_seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class NewSource:
    """A source that is asked for; `collection` is a name."""

    origin: Origin
    collection: str
    type: str
    every_seconds: int
    limits: CrawlLimits


@dataclass(frozen=True, slots=True)
class RunCounts:
    """What the last look found, or this one so far."""

    listed: int = 0
    changed: int = 0
    unchanged: int = 0
    failed: int = 0
    removed: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Source:
    """Where documents come from, and how the last look went."""

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
    """An item that did not come in, and why."""

    key: str
    error: str


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """A source with what it has brought in."""

    source: Source
    collection: str
    documents: int
    failing: tuple[FailingItem, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """An item as its source lists it; `version` tells whether it changed, where that is known."""

    key: str
    version: str | None = None


@dataclass(frozen=True, slots=True)
class SourceListing:
    """What a source has; an incomplete one says nothing about what it leaves out."""

    entries: tuple[Entry, ...]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Item:
    """What is known of an item from the last time it came."""

    key: str
    version: str | None = None
    etag: str | None = None
    modified: str | None = None
    content_hash: bytes | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """An item's bytes, and what tells next time whether they changed."""

    content: bytes
    media_type: str | None = None
    etag: str | None = None
    modified: str | None = None


class NoContent(StrEnum):
    """What a source says instead of content."""

    UNCHANGED = "unchanged"
    GONE = "gone"
