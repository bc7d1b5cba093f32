"""Documents: search, read and delete."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated
from urllib.parse import quote
from uuid import UUID

from fastapi import APIRouter, Path, Query
from fastapi.responses import StreamingResponse

from saegim.api.caller import Call, CallDep
from saegim.api.problems import locale_of
from saegim.api.schemas.library import (
    DeletedDocuments,
    DocumentIds,
    DocumentPage,
    DocumentPassageView,
    DocumentQuery,
    DocumentSectionView,
    ListedDocumentView,
    LookupView,
    PassagesPage,
    PassageView,
    SearchBody,
    SearchView,
    document_view,
    found_view,
    listed_view,
    passage_view,
)
from saegim.audit.types import AuditAction
from saegim.domain.policy import Permission, allows
from saegim.library.service import ALL_PASSAGES
from saegim.library.types import (
    DocumentState,
    ListedDocument,
)

router = APIRouter(prefix="/v1", tags=["library"])

PDF = "application/pdf"
# Browsers show a PDF as an object in a page of their own.
SHOWN = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"
OutsideId = Annotated[str, Path(min_length=1, max_length=500)]


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
    documents, sought = call.services.library.documents, query.sought()
    listed = await documents.listed(call.caller, sought)
    last = listed[-1].document.id if len(listed) == query.count else None
    files = await documents.unfinished(call.caller, sought) if query.before is None else []
    return DocumentPage(documents=await listed_views(call, [*files, *listed]), next_before=last)


@router.post("/documents/delete")
async def remove_documents(body: DocumentIds, call: CallDep) -> DeletedDocuments:
    """Deletes documents, and entries of failed files. What the caller may not read is left out."""
    documents = call.services.library.documents
    chosen = await documents.removable(call.caller, body.document_ids)
    for document in chosen:
        async with call.recording(AuditAction.DOCUMENT_REMOVED, document):
            await documents.remove(call.caller, str(document))
    files = await documents.dismiss_failed(call.caller, body.document_ids)
    return DeletedDocuments(deleted=len(chosen) + files)


@router.get("/documents/{id:uuid}/passages")
async def list_passages(
    id: UUID,  # noqa: A002 - the path parameter
    call: CallDep,
    after: Annotated[int, Query(ge=-1, description="Position of the last passage before.")] = -1,
    count: Annotated[int, Query(ge=1, le=500)] = 100,
    around: Annotated[UUID | None, Query(description="Passage in the middle of the page.")] = None,
) -> PassagesPage:
    """Returns a page of the passages of a document, by its `id`."""
    page = await call.services.library.documents.page(call.caller, id, after, count, around)
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
    return DocumentSectionView.each(await call.services.library.documents.outline(call.caller, id))


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
    documents = call.services.library.documents
    await documents.reindex(call.caller, id)
    [view] = await listed_views(call, [await documents.describe_fully(call.caller, id)])
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
    listed = await call.services.library.documents.describe_fully(call.caller, document.id)
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
        await call.services.library.documents.remove(call.caller, document_id)


def disposition(name: str, *, inline: bool) -> str:
    """Returns the header with the name to save a file under, in ASCII and in full."""
    plain = "".join(each if each.isascii() and each.isprintable() else "_" for each in name)
    plain = plain.replace('"', "_").replace("\\", "_")
    kind = "inline" if inline else "attachment"
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


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
