"""Sources: websites and buckets whose documents are kept in sync."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, Field, SecretStr

from saegim.api.caller import CallDep
from saegim.api.problems import locale_of
from saegim.api.views import View, example
from saegim.audit.types import AuditAction
from saegim.domain.scope import Locale
from saegim.sources.error_texts import error_text
from saegim.sources.types import (
    Bucket,
    CrawlLimits,
    Folder,
    NewSource,
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


router = APIRouter(prefix="/v1", tags=["library"])

Address = Annotated[str, Field(min_length=1, max_length=1_500, pattern=r"^https?://")]
Name = Annotated[str, Field(min_length=1, max_length=200)]


class CrawlLimitsBody(BaseModel, extra="forbid"):
    """Limits of one synchronisation."""

    items: Annotated[int, Field(ge=1, le=50_000)] = 1_000
    bytes_each: Annotated[int, Field(ge=1, le=50 << 20)] = 20 << 20
    bytes_total: Annotated[int, Field(ge=1, le=10 << 30)] = 1 << 30
    delay_seconds: Annotated[float, Field(ge=0.1, le=60)] = 1.0


class FromUrls(BaseModel, extra="forbid"):
    """A list of pages."""

    kind: Literal["urls"]
    urls: Annotated[list[Address], Field(min_length=1, max_length=5_000)]

    def origin(self) -> Origin:
        return UrlList(tuple(self.urls))


class FromSitemap(BaseModel, extra="forbid"):
    """The pages of a sitemap, on the same host."""

    kind: Literal["sitemap"]
    url: Address

    def origin(self) -> Origin:
        return Sitemap(self.url)


class FromBucket(BaseModel, extra="forbid"):
    """The objects under a prefix of an S3-compatible bucket."""

    kind: Literal["s3"]
    endpoint: Address
    bucket: Annotated[str, Field(pattern=r"^[a-zA-Z0-9][a-zA-Z0-9._-]{1,62}$")]
    prefix: Annotated[str, Field(max_length=500)] = ""
    region: Name = "us-east-1"
    access_key: Name
    secret_key: Annotated[SecretStr, Field(min_length=1, max_length=200)]

    def origin(self) -> Origin:
        fields = self.model_dump(exclude={"kind", "secret_key"})
        return Bucket(**fields, secret_key=self.secret_key.get_secret_value())


class SourceBody(BaseModel, extra="forbid"):
    """A source, the collection of its documents, and the interval of synchronisation."""

    model_config = example(source={"kind": "sitemap", "url": "https://docs.invalid/sitemap.xml"})

    source: Annotated[FromUrls | FromSitemap | FromBucket, Field(discriminator="kind")]
    collection: Name = "default"
    type: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")] = "guide"
    every_hours: Annotated[float, Field(ge=0.25, le=24 * 30)] = 24
    limits: CrawlLimitsBody = CrawlLimitsBody()

    def new(self) -> NewSource:
        return NewSource(
            origin=self.source.origin(),
            collection=self.collection,
            type=self.type,
            every_seconds=int(self.every_hours * 3600),
            limits=CrawlLimits(**self.limits.model_dump()),
        )


class SourcesView(BaseModel):
    """Sources of the tenant."""

    sources: list[SourceView]


@router.post("/sources", status_code=201)
async def add_source(body: SourceBody, call: CallDep) -> SourceView:
    """Adds a source and queues its first synchronisation."""
    async with call.recording(AuditAction.SOURCES_CHANGED):
        return source_view(
            await call.services.sources.sources.add(call.caller, body.new()),
            locale_of(call.request),
        )


@router.get("/sources")
async def list_sources(call: CallDep) -> SourcesView:
    """Lists the sources of the collections that the caller may write to."""
    sources = await call.services.sources.sources.all(call.caller)
    return SourcesView(sources=[source_view(each, locale_of(call.request)) for each in sources])


@router.get("/sources/{source_id}")
async def read_source(source_id: UUID, call: CallDep) -> SourceView:
    """Returns the state of a source and the items that failed."""
    status = await call.services.sources.sources.status(call.caller, source_id)
    return source_view(status, locale_of(call.request))


@router.post("/sources/{source_id}/sync", status_code=202)
async def sync_source(source_id: UUID, call: CallDep) -> SourceView:
    """Queues a synchronisation now."""
    status = await call.services.sources.sources.sync(call.caller, source_id)
    return source_view(status, locale_of(call.request))


@router.delete("/sources/{source_id}", status_code=204)
async def remove_source(source_id: UUID, call: CallDep) -> None:
    """Deletes a source. Its documents are deleted in the background."""
    async with call.recording(AuditAction.SOURCES_CHANGED, source_id):
        await call.services.sources.sources.remove(call.caller, source_id)
