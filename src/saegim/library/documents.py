"""The documents of the library: list, read, remove."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from saegim.domain import pending_audit_event
from saegim.domain.errors import CollectionNotEmpty, NotFound
from saegim.domain.policy import Permission, allows, require
from saegim.domain.scope import Caller, Locale
from saegim.library.repository import PostgresLibrary
from saegim.library.service import FAQ, asks, is_file_name, is_stale
from saegim.library.types import (
    Document,
    DocumentFilter,
    DocumentState,
    DocumentTrait,
    FileState,
    ListedDocument,
    OutlineSection,
    PassagePage,
)
from saegim.text.analysis import language

_DIGITS = re.compile(r"\d+")
MOST_SECTIONS = 2_000
IMPORTING = (FileState.RECEIVING, FileState.WAITING, FileState.READING, FileState.STORING)
UNFINISHED: Mapping[DocumentState | None, Sequence[FileState]] = {
    None: (*IMPORTING, FileState.FAILED),
    DocumentState.IMPORTING: IMPORTING,
    DocumentState.FAILED: (FileState.FAILED,),
}


class Documents:
    def __init__(self, documents: PostgresLibrary) -> None:
        self._documents = documents

    async def listed(self, caller: Caller, sought: DocumentFilter) -> list[ListedDocument]:
        """Return the stored documents that the caller may read, with their copies.

        Those that failed are documents whose source could not be read since."""
        readable = await self._documents.readable_collections(caller)
        collections, tenant = _chosen(readable, sought), caller.scope.tenant
        stale_before = await self._documents.stale_before(tenant)
        none_stale = sought.only is DocumentTrait.STALE and stale_before is None
        if sought.state is DocumentState.IMPORTING or none_stale or not collections:
            return []
        found = await self._documents.listed(tenant, collections, sought, readable, stale_before)
        return await self._with_trust(tenant, found, readable, stale_before)

    async def suggested(self, caller: Caller, count: int, locale: Locale) -> list[Document]:
        """Return documents to ask about, those in the caller's language first: shared FAQ entries
        and titles that ask, then other titles. Of titles that differ in numbers only there is one,
        and none that is a file name."""
        faq = await self.listed(caller, DocumentFilter(count=16 * count, kind=FAQ))
        newest = await self.listed(caller, DocumentFilter(count=4 * count))
        titled: dict[str, Document] = {}
        # An FAQ begins with what is asked most, so its first entries come first.
        for each in (*reversed(faq), *newest):
            title = each.document.title
            if title and each.owner is None and (asks(each.document) or not is_file_name(title)):
                titled.setdefault(_DIGITS.sub("", title), each.document)

        def order(each: Document) -> tuple[bool, bool]:
            return language(each.title or "") != locale, not asks(each)

        return sorted(titled.values(), key=order)[:count]

    async def unfinished(self, caller: Caller, sought: DocumentFilter) -> list[ListedDocument]:
        """Return the caller's files that are being imported or have failed; for editors all."""
        states = UNFINISHED.get(sought.state, ()) if sought.only is None else ()
        collections = _chosen(await self._editable(caller), sought)
        if not states or not collections:
            return []
        return await self._documents.unfinished(caller.scope.tenant, collections, sought, states)

    async def describe(self, caller: Caller, document: UUID) -> ListedDocument:
        """Return a document with its collection, audience and source. Raises NotFound."""
        collections = await self._documents.readable_collections(caller)
        found = await self._documents.describe(caller.scope.tenant, document, collections)
        if found is None:
            raise NotFound("document")
        return found

    async def describe_fully(self, caller: Caller, document: UUID) -> ListedDocument:
        """Return a document also with its copies, and whether it is stale. Raises NotFound."""
        tenant, found = caller.scope.tenant, await self.describe(caller, document)
        readable = await self._documents.readable_collections(caller)
        stale_before = await self._documents.stale_before(tenant)
        [full] = await self._with_trust(tenant, [found], readable, stale_before)
        return full

    async def page(
        self, caller: Caller, document: UUID, after: int, count: int, around: UUID | None = None
    ) -> PassagePage:
        """Return passages after a position, or with a passage in the middle. Raises NotFound."""
        found = await self.describe(caller, document)
        tenant = caller.scope.tenant
        if around is not None:
            position = await self._documents.position(tenant, document, around)
            if position is None:
                raise NotFound("passage")
            after = max(-1, position - count // 2 - 1)
        within = [found.document.collection]
        passages = await self._documents.page(tenant, document, within, after, count)
        return PassagePage(tuple(passages), found.passages)

    async def outline(self, caller: Caller, document: UUID) -> list[OutlineSection]:
        """Return the sections of a document. Raises NotFound."""
        await self.describe(caller, document)
        return await self._documents.outline(caller.scope.tenant, document, MOST_SECTIONS)

    async def reindex(self, caller: Caller, document: UUID) -> ListedDocument:
        """Queue a document for the index again. Raises NotFound."""
        require(caller, Permission.EDIT_LIBRARY)
        found = await self.describe(caller, document)
        await self._documents.reindex(caller.scope.tenant, document)
        return found

    async def remove(self, caller: Caller, document_id: str) -> UUID:
        """Remove a document by its own or its outside id; return its own id. Raises NotFound."""
        collections = await self._editable(caller)
        document = await self._documents.document(caller.scope.tenant, document_id, collections)
        if document is None:
            raise NotFound("document")
        pending_audit_event.about(document.id)
        await self._documents.remove(caller, document.id)
        return document.id

    async def removable(self, caller: Caller, documents: Sequence[UUID]) -> list[UUID]:
        """Return those of the documents that exist and that the caller may remove."""
        collections = await self._editable(caller)
        return await self._documents.among(caller.scope.tenant, documents, collections)

    async def dismiss_failed(self, caller: Caller, files: Sequence[UUID]) -> int:
        """Remove failed files from the list, and return how many."""
        collections = await self._editable(caller)
        return await self._documents.drop_failed(caller.scope.tenant, files, collections)

    async def empty_collection(
        self, caller: Caller, collection: UUID, *, with_documents: bool
    ) -> None:
        """Remove all documents of a shared collection. Raises CollectionNotEmpty unless told to."""
        require(caller, Permission.MANAGE_COLLECTIONS)
        tenant = caller.scope.tenant
        if (await self._documents.access_to(tenant, collection)).owner is not None:
            raise NotFound("collection")
        while found := await self._documents.some_of(tenant, collection):
            if not with_documents:
                raise CollectionNotEmpty
            await self._documents.discard(tenant, found)

    async def _with_trust(
        self,
        tenant: UUID,
        listed: Sequence[ListedDocument],
        readable: frozenset[UUID],
        stale_before: datetime | None,
    ) -> list[ListedDocument]:
        """Return documents with copies in readable collections, and whether they are stale."""
        ids = [each.document.id for each in listed]
        copies = await self._documents.copies(tenant, ids, readable) if ids else {}
        return [
            replace(
                each,
                copies=tuple(copies.get(each.document.id, ())),
                is_stale=is_stale(each.document, stale_before),
            )
            for each in listed
        ]

    async def _editable(self, caller: Caller) -> frozenset[UUID]:
        """Return the collections whose documents the caller may remove: without the right to edit
        the library only the private one."""
        if allows(caller, Permission.EDIT_LIBRARY):
            return await self._documents.readable_collections(caller)
        return await self._documents.private_collections(caller)


def _chosen(readable: frozenset[UUID], sought: DocumentFilter) -> frozenset[UUID]:
    return readable if sought.collection is None else readable & {sought.collection}
