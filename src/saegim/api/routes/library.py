"""Documents: search, read and delete."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from saegim.api.caller import CallDep
from saegim.api.views import View, example
from saegim.audit.types import AuditAction
from saegim.library.service import title_of
from saegim.library.types import (
    Document,
    DocumentFilter,
    FoundPassage,
    ListedDocument,
    PassageLocation,
    ResultCounts,
)

router = APIRouter(prefix="/v1", tags=["library"])

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

    def counts(self) -> ResultCounts | None:
        """Returns the requested counts; None for those of the tenant."""
        counts = self.model_dump(include={"faq", "other"}, exclude_none=True)
        return ResultCounts(**counts) if counts else None

    def filters(self) -> dict[str, Any]:
        names = {"has_steps", "has_conditions", "has_table"}
        types = {"types": frozenset(self.types)} if self.types else {}
        return types | self.model_dump(include=names, exclude_none=True)


class DocumentView(View):
    """A document. `document_id` is its ID in the source system."""

    document_id: str
    type: str
    title: str
    version: str


class ListedDocumentView(DocumentView):
    """A document in a list."""

    collection: str
    passages: int
    updated_at: datetime


class DocumentPage(BaseModel):
    """Documents, newest first. Pass `next_before` as `before` for the next page."""

    documents: list[ListedDocumentView]
    next_before: UUID | None


class PassageView(View):
    """A passage with its document and section."""

    passage_id: UUID
    document: DocumentView
    path: list[str]
    text: str


class FoundPassageView(PassageView):
    """A search result, with the score of each retriever and of the reranker, if there is one."""

    score: float
    lexical: float | None
    dense: float | None
    reranked: float | None


class SearchView(BaseModel):
    """Search results, best first. `degraded` lists services that were unavailable."""

    found: list[FoundPassageView]
    degraded: list[str]


class LookupView(BaseModel):
    """A document with its passages in order, and related documents."""

    document: DocumentView
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
async def list_documents(
    call: CallDep,
    words: Annotated[str, Query(max_length=200)] = "",
    before: UUID | None = None,
    count: Annotated[int, Query(ge=1, le=200)] = 50,
) -> DocumentPage:
    """Lists the documents that the caller may read, newest first."""
    documents = await call.services.library.search.listed(
        call.caller, DocumentFilter(words, before, count)
    )
    last = documents[-1].document.id if len(documents) == count else None
    return DocumentPage(documents=[listed_view(each) for each in documents], next_before=last)


@router.get("/documents/{document_id:path}")
async def look_up(document_id: OutsideId, call: CallDep) -> LookupView:
    """Returns a document, by any spelling of its ID. Documents that the caller may not read are not
    found."""
    document, locations = await call.services.library.search.lookup(call.caller, document_id)
    related = await call.services.library.search.related(call.caller, document)
    return LookupView(
        document=document_view(document, locations[0].passage.text if locations else ""),
        passages=[passage_view(location) for location in locations],
        related=[document_view(other, "") for other in related],
    )


@router.delete("/documents/{document_id:path}", status_code=204)
async def remove_document(document_id: OutsideId, call: CallDep) -> None:
    """Deletes a document. Searches no longer return it."""
    async with call.recording(AuditAction.DOCUMENT_REMOVED):
        await call.services.library.search.remove(call.caller, document_id)


def document_view(document: Document, text: str) -> DocumentView:
    title = title_of(document, text)
    return DocumentView.of(document, document_id=document.outside_id, title=title)


def listed_view(listed: ListedDocument) -> ListedDocumentView:
    view = document_view(listed.document, "")
    return ListedDocumentView.of(view, listed, listed.document)


def passage_view(location: PassageLocation) -> PassageView:
    document = document_view(location.document, location.passage.text)
    return PassageView.of(location.passage, path=location.path, document=document)


def found_view(found: FoundPassage) -> FoundPassageView:
    document = document_view(found.document, found.passage.text)
    return FoundPassageView.of(found.passage, found.signals, document=document, path=found.path)
