"""Responses about sources; they never contain a secret key."""

from datetime import datetime
from uuid import UUID

from saegim.api.views import View
from saegim.domain.scope import Locale
from saegim.sources.error_texts import error_text
from saegim.sources.types import (
    Bucket,
    Folder,
    Origin,
    Sitemap,
    SourceKind,
    SourceStatus,
    UrlList,
)


class FailingView(View):
    """An item that failed, with its error as a code and in words."""

    key: str
    error: str
    message: str


class SourceView(View):
    """A source. The counts are those of the running or the last synchronisation; `message` is its
    error in words."""

    source_id: UUID
    kind: SourceKind
    address: str
    collection: str
    type: str
    every_hours: float
    running: bool
    synced_at: datetime | None
    error: str | None
    message: str | None
    documents: int
    listed: int
    changed: int
    unchanged: int
    failed: int
    removed: int
    failing: list[FailingView]


def source_view(status: SourceStatus, locale: Locale) -> SourceView:
    source = status.source
    return SourceView.of(
        status,
        source,
        source.counts,
        source_id=source.id,
        kind=source.origin.kind,
        address=address(source.origin),
        every_hours=source.every_seconds / 3600,
        running=source.run is not None,
        message=None if source.error is None else error_text(source.error, locale),
        failing=[
            FailingView.of(each, message=error_text(each.error, locale)) for each in status.failing
        ],
    )


def address(origin: Origin) -> str:
    """Returns the location of a source as one line."""
    match origin:
        case Folder():
            return origin.path
        case UrlList():
            more = len(origin.urls) - 1
            return origin.urls[0] + (f" (+{more})" if more else "")
        case Sitemap():
            return origin.url
        case Bucket():
            return f"{origin.endpoint.rstrip('/')}/{origin.bucket}/{origin.prefix}"
