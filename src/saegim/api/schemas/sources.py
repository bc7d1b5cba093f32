"""Sources as the API shows them; a secret key is never shown again."""

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel

from saegim.sources.types import (
    Bucket,
    Folder,
    Origin,
    Sitemap,
    SourceKind,
    SourceStatus,
    UrlList,
)


class FailingView(BaseModel):
    """An item that did not come in, and why."""

    key: str
    error: str


class SourceView(BaseModel):
    """A source; the counts are those of the last look, or of the one that is running."""

    source_id: UUID
    kind: SourceKind
    address: str
    collection: str
    type: str
    every_hours: float
    running: bool
    synced_at: datetime | None
    error: str | None
    documents: int
    listed: int
    changed: int
    unchanged: int
    failed: int
    removed: int
    failing: list[FailingView]


def source_view(status: SourceStatus) -> SourceView:
    source, counts = status.source, status.source.counts
    return SourceView(
        source_id=source.id,
        kind=source.origin.kind,
        address=address(source.origin),
        collection=status.collection,
        type=source.type,
        every_hours=source.every_seconds / 3600,
        running=source.run is not None,
        synced_at=source.synced_at,
        error=source.error,
        documents=status.documents,
        listed=counts.listed,
        changed=counts.changed,
        unchanged=counts.unchanged,
        failed=counts.failed,
        removed=counts.removed,
        failing=[FailingView(key=one.key, error=one.error) for one in status.failing],
    )


def address(origin: Origin) -> str:
    """Where a source is, in one line."""
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
