"""Documents out: search, open a section, look a document up, remove it."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from saegim.api.caller import CallerDep, ServicesDep
from saegim.audit.types import AuditAction
from saegim.library.index_ports import PassageLocation
from saegim.library.service import title_of
from saegim.library.types import (
    Document,
    DocumentFilter,
    FoundPassage,
    ListedDocument,
    ResultCounts,
)

router = APIRouter(prefix="/v1", tags=["library"])

OutsideId = Annotated[str, Path(min_length=1, max_length=500)]
Type = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]


class SearchBody(BaseModel, extra="forbid"):
    """A question; without filters FAQ entries and other passages are found in their shares.

    The shares are the tenant's own, 3 and 7 until it sets others (`PUT /v1/ranking`)."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"query": "EC2 비용 줄이는 방법"}]})

    query: Annotated[str, Field(min_length=1, max_length=10_000)]
    faq: Annotated[int, Field(ge=0, le=50)] | None = None
    other: Annotated[int, Field(ge=0, le=50)] | None = None
    types: Annotated[list[Type], Field(max_length=20)] = []
    has_steps: bool | None = None
    has_conditions: bool | None = None
    has_table: bool | None = None

    def counts(self) -> ResultCounts | None:
        """What is asked for; a side that is not named keeps the default of a new tenant."""
        if self.faq is None and self.other is None:
            return None
        usual = ResultCounts()
        return ResultCounts(
            usual.faq if self.faq is None else self.faq,
            usual.other if self.other is None else self.other,
        )

    def filters(self) -> dict[str, object]:
        chosen: dict[str, object] = {}
        if self.types:
            chosen["types"] = frozenset(self.types)
        for name in ("has_steps", "has_conditions", "has_table"):
            if getattr(self, name) is not None:
                chosen[name] = getattr(self, name)
        return chosen


class DocumentView(BaseModel):
    """A document, by the id it has outside."""

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
    """Some documents; `next_before` is where the next page starts."""

    documents: list[ListedDocumentView]
    next_before: UUID | None


class PassageView(BaseModel):
    """A passage with its place."""

    passage_id: UUID
    document: DocumentView
    path: list[str]
    text: str


class FoundPassageView(PassageView):
    """A passage that a search found, with each arm's score, and the reranker's if there is one."""

    score: float
    lexical: float | None
    dense: float | None
    reranked: float | None


class SearchView(BaseModel):
    """What was found, best first."""

    found: list[FoundPassageView]
    degraded: list[str]


class LookupView(BaseModel):
    """A document with its passages in order, and others that are related to it."""

    document: DocumentView
    passages: list[PassageView]
    related: list[DocumentView]


@router.post("/search")
async def search(body: SearchBody, services: ServicesDep, caller: CallerDep) -> SearchView:
    """Searches what the caller may read."""
    counts = body.counts()
    if filters := body.filters():
        count = counts.total if counts else None
        searched = await services.library.search.search(caller, body.query, count=count, **filters)
    else:
        searched = await services.library.search.search_all(caller, body.query, counts)
    return SearchView(
        found=[found_view(found) for found in searched.found], degraded=list(searched.degraded)
    )


@router.get("/passages/{passage_id}/section")
async def read_section(
    passage_id: UUID, services: ServicesDep, caller: CallerDep
) -> list[PassageView]:
    """The whole section around a passage, in order."""
    return [
        place_view(place) for place in await services.library.search.get_section(caller, passage_id)
    ]


@router.get("/documents")
async def list_documents(
    services: ServicesDep,
    caller: CallerDep,
    words: Annotated[str, Query(max_length=200)] = "",
    before: UUID | None = None,
    count: Annotated[int, Query(ge=1, le=200)] = 50,
) -> DocumentPage:
    """The documents that the caller may read, the newest first."""
    found = await services.library.search.listed(caller, DocumentFilter(words, before, count))
    last = found[-1].document.id if len(found) == count else None
    return DocumentPage(documents=[listed_view(one) for one in found], next_before=last)


@router.get("/documents/{document_id:path}")
async def look_up(document_id: OutsideId, services: ServicesDep, caller: CallerDep) -> LookupView:
    """A document, in any spelling of its id; one that may not be seen is not there."""
    document, places = await services.library.search.lookup(caller, document_id)
    related = await services.library.search.related(caller, document)
    return LookupView(
        document=document_view(document, places[0].passage.text if places else ""),
        passages=[place_view(place) for place in places],
        related=[document_view(other, "") for other in related],
    )


@router.delete("/documents/{document_id:path}", status_code=204)
async def remove_document(document_id: OutsideId, services: ServicesDep, caller: CallerDep) -> None:
    """Removes a document; no search shows it from now on."""
    async with services.audit.trail.recording(caller, AuditAction.DOCUMENT_REMOVED):
        await services.library.search.remove(caller, document_id)


def document_view(document: Document, text: str) -> DocumentView:
    return DocumentView(
        document_id=document.outside_id,
        type=document.type,
        title=title_of(document, text),
        version=document.version,
    )


def listed_view(listed: ListedDocument) -> ListedDocumentView:
    return ListedDocumentView(
        **document_view(listed.document, "").model_dump(),
        collection=listed.collection,
        passages=listed.passages,
        updated_at=listed.document.updated_at,
    )


def place_view(place: PassageLocation) -> PassageView:
    return PassageView(
        passage_id=place.passage.id,
        document=document_view(place.document, place.passage.text),
        path=list(place.section.path),
        text=place.passage.text,
    )


def found_view(found: FoundPassage) -> FoundPassageView:
    return FoundPassageView(
        passage_id=found.passage.id,
        document=document_view(found.document, found.passage.text),
        path=list(found.path),
        text=found.passage.text,
        score=found.signals.score,
        lexical=found.signals.lexical,
        dense=found.signals.dense,
        reranked=found.signals.reranked,
    )
