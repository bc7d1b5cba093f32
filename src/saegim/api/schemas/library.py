"""Models of documents and passages, and how they are built."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel, Field

from saegim.api.views import View, example
from saegim.domain.scope import Locale
from saegim.library.document_kinds import KINDS, kind_of
from saegim.library.service import title_of
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

Type = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]


class LocatorView(View):
    """Where a passage begins in its file, counted from 1: a page, a slide, or a row of a sheet.
    `last` is the last page or slide of a passage over several."""

    page: int | None = None
    slide: int | None = None
    sheet: str | None = None
    row: int | None = None
    last: int | None = None


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


def document_view(document: Document, text: str) -> DocumentView:
    title = title_of(document, text)
    return DocumentView.of(document, document_id=document.outside_id, title=title)


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
