"""Documents: search, read and delete."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any
from urllib.parse import quote
from uuid import UUID

from fastapi import APIRouter, Path, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from saegim.api.caller import Call, CallDep
from saegim.api.problems import locale_of
from saegim.api.schemas.library import LocatorView
from saegim.api.views import View, example
from saegim.audit.types import AuditAction
from saegim.domain.policy import Permission, allows
from saegim.domain.scope import Locale
from saegim.library.document_kinds import KINDS, kind_of
from saegim.library.service import ALL_PASSAGES, title_of
from saegim.library.types import (
    Document,
    DocumentCopy,
    DocumentFilter,
    DocumentOrigin,
    DocumentSort,
    DocumentState,
    DocumentTrait,
    FoundPassage,
    ListedDocument,
    PassageLocation,
    ResultCounts,
)
from saegim.sources.error_texts import error_text

router = APIRouter(prefix="/v1", tags=["library"])

PDF = "application/pdf"
# Browsers show a PDF as an object in a page of their own.
SHOWN = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"
OutsideId = Annotated[str, Path(min_length=1, max_length=500)]
Type = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]


class SearchBody(BaseModel, extra="forbid"):
    """A search query. Without filters, a search returns `faq` FAQ entries and `other` passages.

    The defaults are those of the tenant: 3 and 7, unless `PUT /v1/ranking` changed them."""

    model_config = example(query="EC2 비용 줄이는 방법")

    query: Annotated[str, Field(min_length=1, max_length=10_000)]
    faq: Annotated[int, Field(ge=0, le=50)] | None = None
    other: Annotated[int, Field(ge=0, le=50)] | None = None
    types: Annotated[list[Type], Field(max_length=20)] = []
    has_steps: bool | None = None
    has_conditions: bool | None = None
    has_table: bool | None = None
    collection_id: Annotated[UUID | None, Field(description="Search only this collection.")] = None

    def counts(self) -> ResultCounts | None:
        """Returns the requested counts; None for those of the tenant."""
        counts = self.model_dump(include={"faq", "other"}, exclude_none=True)
        return ResultCounts(**counts) if counts else None

    def filters(self) -> dict[str, Any]:
        names = {"has_steps", "has_conditions", "has_table"}
        chosen: dict[str, Any] = {"types": frozenset(self.types)} if self.types else {}
        if self.collection_id is not None:
            chosen["collections"] = frozenset({self.collection_id})
        return chosen | self.model_dump(include=names, exclude_none=True)


class DocumentView(View):
    """A document. `document_id` is its ID in the source system."""

    id: UUID
    document_id: str
    type: str
    title: str
    version: str
    has_original: Annotated[bool, Field(description="Its file can be downloaded.")]


class CopyView(View):
    """Another document with the same text, or nearly the same, that the caller may read."""

    id: UUID
    document_id: str
    title: str
    collection: Annotated[str, Field(description="`own` if it is private.")]
    is_exact: Annotated[bool, Field(description="Whether no word differs.")]


class ListedDocumentView(DocumentView):
    """A document in a list. `id` is unique, also where a private and a shared document have the
    same `document_id`; routes that take a `document_id` take the `id`, too."""

    kind: Annotated[str, Field(description=f"One of: {', '.join(KINDS)}.")]
    collection: Annotated[str, Field(description="`own` if it is private.")]
    collection_id: UUID
    audience: Annotated[list[str], Field(description="Groups that can read it; empty for all.")]
    mine: Annotated[bool, Field(description="Only the caller can read it.")]
    passages: int
    bytes: int | None
    state: DocumentState
    error: Annotated[str | None, Field(description="The code of the error of a failed file.")]
    message: Annotated[
        str | None,
        Field(description="The error in words. Of a stored document: why its source failed."),
    ]
    source: Annotated[str | None, Field(description="The source that it came from.")]
    origin: Annotated[DocumentOrigin, Field(description="How it came in.")]
    uploaded_by: Annotated[
        str | None, Field(description="Who uploaded it; for the uploader and for editors.")
    ]
    first_seen_at: datetime | None
    last_seen_at: Annotated[
        datetime | None,
        Field(description="When it was last uploaded, or found by a sync, changed or not."),
    ]
    changed_at: Annotated[
        datetime,
        Field(description="Its own date of change if it has one, else when it changed here."),
    ]
    is_stale: Annotated[bool, Field(description="Not changed for the months of the tenant.")]
    copies: Annotated[list[CopyView], Field(description="Other documents with its text.")]
    updated_at: datetime


class DocumentPage(BaseModel):
    """Documents. Pass `next_before` as `before` for the next page. Files that are being imported
    or have failed come first, on the first page, for callers who may add documents."""

    documents: list[ListedDocumentView]
    next_before: UUID | None


class DocumentQuery(BaseModel, extra="forbid"):
    """Which documents are listed, and in which order."""

    q: Annotated[str, Field(max_length=200, description="Words of the title.")] = ""
    before: Annotated[UUID | None, Field(description="`id` of the last document before.")] = None
    count: Annotated[int, Field(ge=1, le=200)] = 50
    collection: Annotated[UUID | None, Field(description="ID of a collection.")] = None
    state: DocumentState | None = None
    kind: Annotated[str | None, Field(pattern=f"^({'|'.join(KINDS)})$")] = None
    sort: DocumentSort = DocumentSort.NEWEST
    only: Annotated[
        DocumentTrait | None, Field(description="Only stale documents, or those with copies.")
    ] = None
    once: Annotated[bool, Field(description="Of documents with the same text only the newest.")] = (
        False
    )

    def sought(self) -> DocumentFilter:
        return DocumentFilter(words=self.q, **self.model_dump(exclude={"q"}))


class DocumentIds(BaseModel, extra="forbid"):
    """Documents by their `id`."""

    model_config = example(document_ids=["0195e3a0-0000-7000-8000-000000000000"])

    document_ids: Annotated[list[UUID], Field(min_length=1, max_length=1_000)]


class DeletedDocuments(BaseModel):
    """How many documents and failed files were deleted."""

    deleted: int


class DocumentPassageView(View):
    """A passage of a document with its headings and its position, counted from 0."""

    passage_id: UUID
    path: list[str]
    text: str
    position: int
    locator: LocatorView | None


class DocumentSectionView(View):
    """A section of a document: its headings, the position of its first passage, and how many it
    has."""

    path: list[str]
    position: int
    passages: int


class PassagesPage(BaseModel):
    """Passages in order. Pass `next_after` as `after` for the next page."""

    passages: list[DocumentPassageView]
    total: int
    next_after: int | None


class PassageView(View):
    """A passage with its document and section."""

    passage_id: UUID
    document: DocumentView
    path: list[str]
    text: str
    locator: LocatorView | None


class FoundPassageView(PassageView):
    """A search result, with the score of each retriever and of the reranker, if there is one."""

    score: float
    lexical: float | None
    dense: float | None
    reranked: float | None
    is_stale: Annotated[bool, Field(description="Whether its document is stale.")]
    changed_at: Annotated[datetime, Field(description="When its document was changed.")]
    copies: Annotated[list[DocumentView], Field(description="Other documents with the same text.")]


class SearchView(BaseModel):
    """Search results, best first. `degraded` lists services that were unavailable."""

    found: list[FoundPassageView]
    degraded: list[str]


class LookupView(BaseModel):
    """A document with its passages in order, and related documents."""

    document: ListedDocumentView
    passages: list[PassageView]
    related: list[DocumentView]


@router.post("/search")
async def search(body: SearchBody, call: CallDep) -> SearchView:
    """Searches the documents that the caller may read."""
    counts = body.counts()
    if filters := body.filters():
        count = counts.total if counts else None
        results = await call.services.library.search.search(
            call.caller, body.query, count=count, **filters
        )
    else:
        results = await call.services.library.search.search_all(call.caller, body.query, counts)
    return SearchView(
        found=[found_view(passage) for passage in results.found], degraded=list(results.degraded)
    )


@router.get("/passages/{passage_id}/section")
async def read_section(passage_id: UUID, call: CallDep) -> list[PassageView]:
    """Lists the passages of the section that contains a passage, in order."""
    section = await call.services.library.search.get_section(call.caller, passage_id)
    return [passage_view(location) for location in section]


@router.get("/documents")
async def list_documents(call: CallDep, query: Annotated[DocumentQuery, Query()]) -> DocumentPage:
    """Lists the documents that the caller may read, newest first unless `sort` is given."""
    library, sought = call.services.library.search, query.sought()
    documents = await library.listed(call.caller, sought)
    last = documents[-1].document.id if len(documents) == query.count else None
    files = await library.unfinished(call.caller, sought) if query.before is None else []
    return DocumentPage(documents=await listed_views(call, [*files, *documents]), next_before=last)


@router.post("/documents/delete")
async def remove_documents(body: DocumentIds, call: CallDep) -> DeletedDocuments:
    """Deletes documents, and entries of failed files. What the caller may not read is left out."""
    library = call.services.library.search
    documents = await library.removable(call.caller, body.document_ids)
    for document in documents:
        async with call.recording(AuditAction.DOCUMENT_REMOVED, document):
            await library.remove(call.caller, str(document))
    files = await library.dismiss_failed(call.caller, body.document_ids)
    return DeletedDocuments(deleted=len(documents) + files)


@router.get("/documents/{id:uuid}/passages")
async def list_passages(
    id: UUID,  # noqa: A002 - the path parameter
    call: CallDep,
    after: Annotated[int, Query(ge=-1, description="Position of the last passage before.")] = -1,
    count: Annotated[int, Query(ge=1, le=500)] = 100,
    around: Annotated[UUID | None, Query(description="Passage in the middle of the page.")] = None,
) -> PassagesPage:
    """Returns a page of the passages of a document, by its `id`."""
    page = await call.services.library.search.page(call.caller, id, after, count, around)
    passages = [
        DocumentPassageView.of(each.passage, path=each.path, position=each.passage.ordinal)
        for each in page.passages
    ]
    last = passages[-1].position if passages else None
    more = last is not None and last + 1 < page.total
    return PassagesPage(passages=passages, total=page.total, next_after=last if more else None)


@router.get("/documents/{id:uuid}/sections")
async def list_sections(
    id: UUID,  # noqa: A002 - the path parameter
    call: CallDep,
) -> list[DocumentSectionView]:
    """Returns the sections of a document, by its `id`, in order; at most 2,000."""
    return DocumentSectionView.each(await call.services.library.search.outline(call.caller, id))


@router.get(
    "/documents/{id:uuid}/original",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
async def download_original(
    id: UUID,  # noqa: A002 - the path parameter
    call: CallDep,
    inline: Annotated[bool, Query(description="Let browsers show it, if it is a PDF.")] = False,
) -> StreamingResponse:
    """Returns the file that a document was made of, by the `id` of the document."""
    originals = call.services.library.originals
    original = await originals.find(call.caller, id)
    shown = inline and original.media_type == PDF
    return StreamingResponse(
        originals.read(original),
        media_type=original.media_type,
        headers={
            "Content-Length": str(original.size),
            "Content-Disposition": disposition(original.name, inline=shown),
            "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy": SHOWN if shown else "sandbox",
            "Cache-Control": "private, no-store",
        },
    )


@router.post("/documents/{id:uuid}/reindex", status_code=202)
async def reindex_document(
    id: UUID,  # noqa: A002 - the path parameter
    call: CallDep,
) -> ListedDocumentView:
    """Queues a document, by its `id`, for the search index again."""
    library = call.services.library.search
    await library.reindex(call.caller, id)
    [view] = await listed_views(call, [await library.describe_fully(call.caller, id)])
    return view


@router.get("/documents/{document_id:path}")
async def look_up(
    document_id: OutsideId,
    call: CallDep,
    passages: Annotated[
        int | None, Query(ge=0, description="At most this many passages; all without it.")
    ] = None,
) -> LookupView:
    """Returns a document, by any spelling of its ID. Documents that the caller may not read are not
    found."""
    library = call.services.library.search
    most = ALL_PASSAGES if passages is None else passages
    document, locations = await library.lookup(call.caller, document_id, most)
    listed = await library.describe_fully(call.caller, document.id)
    related = await library.related(call.caller, document)
    text = locations[0].passage.text if locations else ""
    [view] = await listed_views(call, [listed], text)
    return LookupView(
        document=view,
        passages=[passage_view(location) for location in locations],
        related=[document_view(other, "") for other in related],
    )


@router.delete("/documents/{document_id:path}", status_code=204)
async def remove_document(document_id: OutsideId, call: CallDep) -> None:
    """Deletes a document. Searches no longer return it."""
    async with call.recording(AuditAction.DOCUMENT_REMOVED):
        await call.services.library.search.remove(call.caller, document_id)


def disposition(name: str, *, inline: bool) -> str:
    """Returns the header with the name to save a file under, in ASCII and in full."""
    plain = "".join(each if each.isascii() and each.isprintable() else "_" for each in name)
    plain = plain.replace('"', "_").replace("\\", "_")
    kind = "inline" if inline else "attachment"
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def document_view(document: Document, text: str) -> DocumentView:
    title = title_of(document, text)
    return DocumentView.of(document, document_id=document.outside_id, title=title)


async def listed_views(
    call: Call, documents: Sequence[ListedDocument], text: str = ""
) -> list[ListedDocumentView]:
    """Builds the views of documents. Editors see who uploaded them and why a source failed; others
    see it of their own uploads."""
    uploaders = {each.added_by for each in documents if each.added_by is not None}
    names = await call.services.auth.members.uploaders(call.caller, uploaders)
    locale, edits = locale_of(call.request), allows(call.caller, Permission.EDIT_LIBRARY)
    return [
        listed_view(
            each if edits or each.state is not DocumentState.READY else replace(each, error=None),
            locale,
            None if each.added_by is None else names.get(each.added_by),
            text,
        )
        for each in documents
    ]


def listed_view(
    listed: ListedDocument, locale: Locale, uploaded_by: str | None, text: str = ""
) -> ListedDocumentView:
    document, error = listed.document, listed.error
    return ListedDocumentView.of(
        listed,
        document,
        document_id=document.outside_id,
        title=title_of(document, text),
        id=document.id,
        collection_id=document.collection,
        kind=kind_of(document.type, document.outside_id),
        mine=listed.owner is not None,
        message=None if error is None else error_text(error, locale),
        uploaded_by=uploaded_by,
        copies=[copy_view(each) for each in listed.copies],
    )


def copy_view(copy: DocumentCopy) -> CopyView:
    document = copy.document
    title = title_of(document, "")
    return CopyView.of(copy, document, document_id=document.outside_id, title=title, id=document.id)


def passage_view(location: PassageLocation) -> PassageView:
    document = document_view(location.document, location.passage.text)
    return PassageView.of(location.passage, path=location.path, document=document)


def found_view(found: FoundPassage) -> FoundPassageView:
    document = document_view(found.document, found.passage.text)
    return FoundPassageView.of(
        found.passage,
        found.signals,
        document=document,
        path=found.path,
        is_stale=found.is_stale,
        changed_at=found.document.changed_at,
        copies=[document_view(each, "") for each in found.copies],
    )
