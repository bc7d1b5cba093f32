"""Convert sources to and from rows; secrets are encrypted."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from saegim.db.cells import Row
from saegim.encryption.cipher import FieldLocation
from saegim.sources.types import (
    Bucket,
    CrawlLimits,
    FailingItem,
    Folder,
    Origin,
    RunCounts,
    Sitemap,
    Source,
    SourceKind,
    SourceStatus,
    UrlList,
)

COUNTED = ("listed", "changed", "unchanged", "failed", "removed", "bytes")


def secret_place(source: UUID) -> FieldLocation:
    return FieldLocation("source.secret", source)


def config_of(origin: Origin) -> tuple[dict[str, Any], str | None]:
    """Return the plain configuration and the secret to encrypt."""
    config = asdict(origin)
    return config, config.pop("secret_key", None)


def origin_of(kind: SourceKind, config: dict[str, Any], secret: str | None) -> Origin:
    match kind:
        case SourceKind.FOLDER:
            return Folder(**config)
        case SourceKind.URLS:
            return UrlList(tuple(config["urls"]))
        case SourceKind.SITEMAP:
            return Sitemap(**config)
        case SourceKind.S3:
            return Bucket(**config, secret_key=secret or "")


def source(row: Row, secret: str | None = None) -> Source:
    return Source(
        id=row["source_id"],
        tenant=row["tenant_id"],
        collection=row["collection_id"],
        origin=origin_of(SourceKind(row["kind"]), row["config"], secret),
        type=row["type"],
        every_seconds=row["every_seconds"],
        limits=CrawlLimits(**row["limits"]),
        removing=row["removing"],
        run=row["run_id"],
        synced_at=row["synced_at"],
        error=row["error"],
        counts=RunCounts(**{name: row[name] for name in COUNTED}),
    )


def status(row: Row, failing: tuple[FailingItem, ...] = ()) -> SourceStatus:
    return SourceStatus(source(row), row["collection"], row["documents"], failing)
