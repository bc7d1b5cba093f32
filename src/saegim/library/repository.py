"""Documents, sections and passages in Postgres."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from saegim.auth.repository import LIBRARY_INDEX
from saegim.db.cells import Cells, Connection, QueryCall, execute, fetch_all, fetch_one
from saegim.domain.errors import NotFound
from saegim.domain.ids import LAST_ID, Clock, new_id
from saegim.domain.scope import Caller
from saegim.domain.tenancy import CollectionAccess
from saegim.jobs.queue import JobQueue
from saegim.library import rows
from saegim.library.document_kinds import kind_pattern
from saegim.library.duplicates import NEARLY_SAME
from saegim.library.index_ports import SearchSetup
from saegim.library.jobs import queue_index_changes
from saegim.library.types import (
    STALE_MONTHS,
    Document,
    DocumentCopy,
    DocumentFilter,
    DocumentSort,
    DocumentState,
    DocumentTrait,
    FileState,
    ListedDocument,
    OutlineSection,
    PassageLocation,
    lookup_key,
)

MONTH = timedelta(days=365.25 / 12)
# Of all documents of a page or search together.
MOST_COPIES = 500
type DocumentCopies = dict[UUID, list[Document]]


class PostgresLibrary:
    def __init__(self, cells: Cells, jobs: JobQueue, clock: Clock) -> None:
        self._cells = cells
        self._jobs = jobs
        self._clock = clock

    async def see_unchanged_files(
        self, tenant: UUID, collection: UUID, digests: Collection[bytes]
    ) -> set[bytes]:
        """Return the files of a collection, by digest, whose documents are all stored, and note
        that these were seen."""
        find = {"collection": collection, "digests": list(digests)}
        found = await self._cells.read(tenant, "unchanged_files", **find)
        known = {bytes(row["file_hash"]) for row in found}
        if known:
            see = {"collection": collection, "digests": list(known), "now": self._clock.now()}
            await self._cells.run_query(tenant, "see_files", **see)
        return known

    async def remove(self, caller: Caller, document: UUID) -> None:
        """Remove a document; searches stop finding it at once. Raises NotFound."""
        tenant = caller.scope.tenant
        async with self._cells.transaction(tenant) as connection:
            find = {"tenant": tenant, "document": document}
            removed = await fetch_all(connection, "passages_to_remove", **find)
            row = await fetch_one(connection, "remove_document", **find)
            if row is None:
                raise NotFound("document")
            await drop_unused_originals(connection, tenant, [row["original_id"]])
            await self._note(connection, tenant, [row["passage_id"] for row in removed])

    async def discard(self, tenant: UUID, documents: Collection[UUID]) -> None:
        """Remove documents; searches stop finding them at once. Missing ones are ignored."""
        if not documents:
            return
        async with self._cells.transaction(tenant) as connection:
            find = {"tenant": tenant, "documents": list(documents)}
            removed = await fetch_all(connection, "passages_of_documents", **find)
            discarded = await fetch_all(connection, "discard_documents", **find)
            originals = [row["original_id"] for row in discarded]
            await drop_unused_originals(connection, tenant, originals)
            await self._note(connection, tenant, [row["passage_id"] for row in removed])

    async def readable_collections(self, caller: Caller) -> frozenset[UUID]:
        """Return the assistant's collections that the caller may read, and the caller's own."""
        name, values = _readable(caller)
        found = await self._cells.read(caller.scope.tenant, name, **values)
        return frozenset(row["collection_id"] for row in found)

    async def private_collections(self, caller: Caller) -> frozenset[UUID]:
        """Return the caller's private collection, if there is one."""
        owner = {"member": caller.scope.user}
        found = await self._cells.read(caller.scope.tenant, "find_own_collection", **owner)
        return frozenset(row["collection_id"] for row in found)

    async def collection(self, tenant: UUID, name: str) -> UUID:
        """Find a collection by name. Raises NotFound."""
        found = await self._cells.read(tenant, "find_collection", name=name)
        if not found:
            raise NotFound("collection")
        return found[0]["collection_id"]

    async def access_to(self, tenant: UUID, collection: UUID) -> CollectionAccess:
        """Return who may write to a collection. Raises NotFound."""
        found = await self._cells.read(tenant, "collection_access", collection=collection)
        if not found:
            raise NotFound("collection")
        [row] = found
        return CollectionAccess(row["collection_id"], row["owner_id"], frozenset(row["audience"]))

    async def own_collection(self, tenant: UUID, member: UUID) -> UUID:
        """Return the member's private collection; create it on first use."""
        now = self._clock.now()
        async with self._cells.transaction(tenant) as connection:
            owner = {"tenant": tenant, "member": member}
            await execute(
                connection, "add_own_collection", **owner, collection=new_id(now), now=now
            )
            row = await fetch_one(connection, "find_own_collection", **owner)
        assert row is not None, "created above, or by a concurrent call"
        return row["collection_id"]

    async def places(
        self, tenant: UUID, passages: Collection[UUID], collections: Collection[UUID]
    ) -> dict[UUID, PassageLocation]:
        """Return the locations of those passages that are in one of the collections."""
        find = {"passages": list(passages), "collections": list(collections)}
        found = await self._cells.read(tenant, "passage_locations", **find)
        return {row["passage_id"]: rows.place(row) for row in found}

    async def places_with_copies(
        self, tenant: UUID, passages: Collection[UUID], collections: Collection[UUID]
    ) -> tuple[dict[UUID, PassageLocation], DocumentCopies]:
        """Return the locations of those passages that are in one of the collections, and the
        documents of the collections with the same text as theirs, in one round trip."""
        find = {"passages": list(passages), "collections": list(collections)}
        cell = await self._cells.for_tenant(tenant)
        places, copies = await cell.read_together(
            tenant,
            ("passage_locations", find),
            ("copies_of_passages", find | {"most": MOST_COPIES}),
        )
        by_document: dict[UUID, list[Document]] = {}
        for row in copies:
            by_document.setdefault(row["original"], []).append(rows.document(row))
        return {row["passage_id"]: rows.place(row) for row in places}, by_document

    async def copies(
        self, tenant: UUID, documents: Collection[UUID], collections: Collection[UUID]
    ) -> dict[UUID, list[DocumentCopy]]:
        """Return the copies of documents, all within the collections."""
        find = {"documents": list(documents), "collections": list(collections)}
        limits = {"nearly_same": NEARLY_SAME, "most": MOST_COPIES}
        copies: dict[UUID, list[DocumentCopy]] = {}
        for row in await self._cells.read(tenant, "copies_of_documents", **find, **limits):
            copies.setdefault(row["original"], []).append(rows.document_copy(row))
        return copies

    async def stale_before(self, tenant: UUID) -> datetime | None:
        """Return the time before which an unchanged document is stale; None if none ever is."""
        row = await self._cells.read_one(tenant, "find_ranking")
        return self._stale_before(STALE_MONTHS if row is None else rows.ranking(row).stale_months)

    def _stale_before(self, months: int) -> datetime | None:
        return self._clock.now() - months * MONTH if months else None

    async def document(
        self, tenant: UUID, outside_id: str, collections: Collection[UUID]
    ) -> Document | None:
        """Find a document by its own id, or by its outside id in any case, in these collections.

        Its own id tells documents of several collections with one outside id apart."""
        with suppress(ValueError):
            if own := await self.describe(tenant, UUID(outside_id), collections):
                return own.document
        find = {"lookup_key": lookup_key(outside_id), "collections": list(collections)}
        found = await self._cells.read(tenant, "find_document", **find)
        return rows.document(found[0]) if found else None

    async def listed(
        self,
        tenant: UUID,
        collections: Collection[UUID],
        sought: DocumentFilter,
        readable: Collection[UUID] = (),
        stale_before: datetime | None = None,
    ) -> list[ListedDocument]:
        """Return documents of these collections in the order of the filter.

        Copies count that are in the `readable` collections."""
        stale = stale_before if sought.only is DocumentTrait.STALE else None
        values = _filter(collections, sought) | {
            "stale_before": stale,
            "failing": sought.state is DocumentState.FAILED,
            "duplicate": sought.only is DocumentTrait.DUPLICATE,
            "readable": list(readable),
            "nearly_same": NEARLY_SAME,
            "once": sought.once,
        }
        if sought.sort is DocumentSort.NEWEST:
            values["before"] = sought.before or LAST_ID
            found = await self._cells.read(tenant, "list_documents", **values)
        else:
            values |= {"before": sought.before, "sort": sought.sort}
            found = await self._cells.read(tenant, "list_sorted_documents", **values)
        return [rows.listed(row) for row in found]

    async def unfinished(
        self,
        tenant: UUID,
        collections: Collection[UUID],
        sought: DocumentFilter,
        states: Collection[FileState],
    ) -> list[ListedDocument]:
        """Return files of these collections in these states, newest first."""
        values = _filter(collections, sought) | {"states": list(states)}
        found = await self._cells.read(tenant, "unfinished_files", **values)
        return [rows.listed_file(row) for row in found]

    async def is_importing(self, tenant: UUID, name: str, collections: Collection[UUID]) -> bool:
        """Return whether a file of this name is being imported into one of the collections."""
        find = {"name": name, "collections": list(collections)}
        return await self._cells.read_one(tenant, "find_importing_file", **find) is not None

    async def describe(
        self, tenant: UUID, document: UUID, collections: Collection[UUID]
    ) -> ListedDocument | None:
        """Return a document of these collections with its collection and source."""
        find = {"document": document, "collections": list(collections)}
        found = await self._cells.read_one(tenant, "describe_document", **find)
        return None if found is None else rows.listed(found)

    async def page(
        self, tenant: UUID, document: UUID, collections: Collection[UUID], after: int, count: int
    ) -> list[PassageLocation]:
        """Return passages of a document after a position; none outside the collections."""
        find = {"document": document, "collections": list(collections)}
        page = {"after": after, "count": count}
        found = await self._cells.read(tenant, "page_of_passages", **find, **page)
        return [rows.place(row) for row in found]

    async def outline(self, tenant: UUID, document: UUID, count: int) -> list[OutlineSection]:
        """Return the first sections of a document in order."""
        find = {"document": document, "count": count}
        found = await self._cells.read(tenant, "outline_of_document", **find)
        return [
            OutlineSection(tuple(row["path"]), row["position"], row["passages"]) for row in found
        ]

    async def position(self, tenant: UUID, document: UUID, passage: UUID) -> int | None:
        """Return the position of a passage in a document."""
        find = {"document": document, "passage": passage}
        found = await self._cells.read_one(tenant, "position_of_passage", **find)
        return None if found is None else found["ordinal"]

    async def among(
        self, tenant: UUID, documents: Collection[UUID], collections: Collection[UUID]
    ) -> list[UUID]:
        """Return those of the documents that are in the collections."""
        find = {"documents": list(documents), "collections": list(collections)}
        found = await self._cells.read(tenant, "find_documents", **find)
        return [row["document_id"] for row in found]

    async def some_of(self, tenant: UUID, collection: UUID, count: int = 100) -> list[UUID]:
        """Return some documents of a collection; none if it is empty."""
        values = {"collection": collection, "count": count}
        found = await self._cells.read(tenant, "some_documents", **values)
        return [row["document_id"] for row in found]

    async def drop_failed(
        self, tenant: UUID, files: Collection[UUID], collections: Collection[UUID]
    ) -> int:
        """Delete the entries of failed files of these collections; return how many."""
        async with self._cells.transaction(tenant) as connection:
            values = {"files": list(files), "collections": list(collections)}
            found = await fetch_all(connection, "drop_failed_files", tenant=tenant, **values)
        return len(found)

    async def reindex(self, tenant: UUID, document: UUID) -> None:
        """Queue the passages of a document for the index again."""
        async with self._cells.transaction(tenant) as connection:
            find = {"tenant": tenant, "document": document}
            found = await fetch_all(connection, "passages_to_remove", **find)
            await self._note(connection, tenant, [row["passage_id"] for row in found])

    async def section_of(
        self, tenant: UUID, passage: UUID, collections: Collection[UUID]
    ) -> list[PassageLocation]:
        """Return the passages of a passage's section in order; none outside the collections."""
        find = {"passage": passage, "collections": list(collections)}
        return [
            rows.place(row) for row in await self._cells.read(tenant, "passages_of_section", **find)
        ]

    async def serving(self, tenant: UUID) -> SearchSetup:
        """Return the index and the ranking of a tenant."""
        [row] = await self._cells.read(tenant, "find_serving", subject=LIBRARY_INDEX)
        return SearchSetup(rows.pointer(row), rows.ranking(row))

    async def serving_for(self, caller: Caller) -> tuple[SearchSetup, frozenset[UUID]]:
        """Return the search setup and the collections the caller may read, in one round trip."""
        tenant = caller.scope.tenant
        cell = await self._cells.for_tenant(tenant)
        [row], readable = await cell.read_together(
            tenant, ("find_serving", {"subject": LIBRARY_INDEX}), _readable(caller)
        )
        ranking = rows.ranking(row)
        stale_before = self._stale_before(ranking.stale_months)
        setup = SearchSetup(rows.pointer(row), ranking, row["has_faq"], stale_before)
        return setup, frozenset(each["collection_id"] for each in readable)

    async def collections(self, tenant: UUID) -> frozenset[UUID]:
        """Return all collections of a tenant, for operators."""
        found = await self._cells.read(tenant, "list_collections")
        return frozenset(row["collection_id"] for row in found)

    async def passage_ids(self, tenant: UUID) -> set[UUID]:
        """Return the ids of all stored passages."""
        return {row["passage_id"] for row in await self._cells.read(tenant, "all_passages")}

    async def _note(self, connection: Connection, tenant: UUID, passages: Sequence[UUID]) -> None:
        await queue_index_changes(connection, self._jobs, tenant, passages)


async def drop_unused_originals(
    connection: Connection, tenant: UUID, originals: Collection[UUID | None]
) -> None:
    """Delete those of the originals that no document has any more."""
    if unique := {each for each in originals if each is not None}:
        values = {"tenant": tenant, "originals": list(unique)}
        await execute(connection, "drop_unused_originals", **values)


def _filter(collections: Collection[UUID], sought: DocumentFilter) -> dict[str, Any]:
    return {
        "collections": list(collections),
        "words": " ".join(sought.words.lower().split()),
        "kind": kind_pattern(sought.kind),
        "count": sought.count,
    }


def _readable(caller: Caller) -> QueryCall:
    values = {"groups": sorted(caller.groups), "member": caller.scope.user}
    if caller.collections is not None:
        return "readable_of_draft", values | {"collections": sorted(caller.collections)}
    return "readable_collections", values | {"assistant": caller.assistant}
