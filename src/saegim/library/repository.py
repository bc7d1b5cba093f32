"""Documents, sections and passages in Postgres."""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from uuid import UUID

from psycopg.types.json import Jsonb

from saegim.auth.repository import LIBRARY_INDEX
from saegim.db.cells import Cells, Connection, QueryCall, Row, execute, fetch_all, fetch_one
from saegim.db.pool import query
from saegim.domain.errors import Conflict, NotFound
from saegim.domain.ids import LAST_ID, Clock, new_id
from saegim.domain.scope import Caller
from saegim.domain.tenancy import CollectionAccess
from saegim.jobs.queue import JobQueue
from saegim.library import rows
from saegim.library.active_index import ActiveIndex, active_embedder
from saegim.library.index_changes import queue_index_changes
from saegim.library.index_ports import (
    Build,
    Changes,
    EmbedderChanged,
    IndexPointer,
    IndexSource,
    PassageLocation,
    PassagePage,
    SearchSetup,
)
from saegim.library.ports import Arrangement, DocumentSource, KnownDocument, NewDocument, NewPassage
from saegim.library.types import Document, DocumentFilter, ListedDocument, StoredPassage, lookup_key


class PostgresLibrary:
    def __init__(self, cells: Cells, jobs: JobQueue, clock: Clock, pointing: ActiveIndex) -> None:
        self._cells = cells
        self._jobs = jobs
        self._clock = clock
        self._pointing = pointing

    async def open(self, tenant: UUID, new: NewDocument) -> KnownDocument:
        """The document of this collection and outside id, made if it is new.

        Raises Conflict where a source brings one that did not come from it.
        """
        now = self._clock.now()
        find = {"tenant": tenant, "collection": new.collection, "outside_id": new.outside_id}
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            row = await fetch_one(connection, "find_known_document", **find)
            if row is None:
                await execute(
                    connection,
                    "open_document",
                    **find,
                    document=new_id(now),
                    lookup_key=lookup_key(new.outside_id),
                    type=new.type,
                    title=new.title,
                    version=new.version,
                    metadata=Jsonb(dict(new.metadata)),
                    now=now,
                )
                row = await fetch_one(connection, "find_known_document", **find)
                assert row is not None, "a document that was just opened is there"
            elif new.brought_by is not None and row["source_id"] != new.brought_by.source:
                raise Conflict("taken: a document with this ID came from another source")
            if new.brought_by is not None:
                origin = asdict(new.brought_by)
                document = row["document_id"]
                await execute(
                    connection, "stamp_document", tenant=tenant, document=document, **origin
                )
        return KnownDocument(row["document_id"], row["content_hash"])

    async def passages_of(self, tenant: UUID, document: UUID) -> list[StoredPassage]:
        """What is stored of a document's passages."""
        found = await self._all(tenant, "stored_passages", document=document)
        return [
            StoredPassage(row["passage_id"], row["section_id"], row["ordinal"], row["content_hash"])
            for row in found
        ]

    async def arrange_sections(
        self, tenant: UUID, document: UUID, paths: Sequence[tuple[str, ...]]
    ) -> list[UUID]:
        """The ids of the document's sections, in order; those that were there keep theirs."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            known = await fetch_all(connection, "list_sections", tenant=tenant, document=document)
            same: dict[tuple[str, ...], list[UUID]] = {}
            for row in known:
                same.setdefault(tuple(row["path"]), []).append(row["section_id"])
            left = {path: iter(sections) for path, sections in same.items()}
            arranged = [next(left.get(path, iter(())), None) for path in paths]
            async with connection.pipeline():
                return [
                    await self._put_section(connection, tenant, document, (ordinal, path, section))
                    for ordinal, (path, section) in enumerate(zip(paths, arranged, strict=True))
                ]

    async def _put_section(
        self,
        connection: Connection,
        tenant: UUID,
        document: UUID,
        found: tuple[int, tuple[str, ...], UUID | None],
    ) -> UUID:
        """Moves a section that is there to its place, or makes it there."""
        ordinal, path, known = found
        section = known or new_id(self._clock.now())
        values = {"tenant": tenant, "section": section, "ordinal": ordinal}
        if known is None:
            more = {"document": document, "path": list(path)}
            await execute(connection, "add_section", **values, **more)
        else:
            await execute(connection, "move_section", **values)
        return section

    async def add_passages(
        self, tenant: UUID, document: UUID, embedder: str, passages: Sequence[NewPassage]
    ) -> None:
        """Stores a batch in one transaction, with the job that tells the index.

        Raises EmbedderChanged where the tenant's index is not made with `embedder` any more.
        """
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            if await active_embedder(connection, tenant, LIBRARY_INDEX) != embedder:
                raise EmbedderChanged(embedder)
            async with connection.pipeline():
                for passage in passages:
                    await self._add(connection, tenant, document, embedder, passage)
                await self._note(connection, tenant, [passage.id for passage in passages])

    async def settle(
        self, tenant: UUID, document: UUID, new: NewDocument, shape: Arrangement
    ) -> None:
        """Puts kept passages in their place and removes the others, in one transaction."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            find = {"tenant": tenant, "document": document}
            named = {"type": new.type, "title": new.title}
            retyped = await fetch_all(connection, "retyped_passages", **find, **named)
            for passage, (section, ordinal) in shape.kept.items():
                place = {"passage": passage, "section": section, "ordinal": ordinal}
                await execute(connection, "move_passage", tenant=tenant, **place)
            gone = list(shape.removed)
            if gone:
                await execute(connection, "remove_passages", tenant=tenant, passages=gone)
            await execute(connection, "remove_empty_sections", **find)
            await execute(
                connection,
                "settle_document",
                **find,
                **named,
                version=new.version,
                metadata=Jsonb(dict(new.metadata)),
                content_hash=shape.content_hash,
                now=self._clock.now(),
            )
            await self._note(connection, tenant, [*gone, *(row["passage_id"] for row in retyped)])

    async def remove(self, caller: Caller, document: UUID) -> None:
        """Removes a document, at once for every search. Raises NotFound."""
        tenant = caller.scope.tenant
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            find = {"tenant": tenant, "document": document}
            gone = await fetch_all(connection, "passages_to_remove", **find)
            if await fetch_one(connection, "remove_document", **find) is None:
                raise NotFound("document")
            await self._note(connection, tenant, [row["passage_id"] for row in gone])

    async def discard(self, tenant: UUID, documents: Collection[UUID]) -> None:
        """Removes documents, at once for every search; those that are gone already are fine."""
        if not documents:
            return
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            find = {"tenant": tenant, "documents": list(documents)}
            gone = await fetch_all(connection, "passages_of_documents", **find)
            await execute(connection, "discard_documents", **find)
            await self._note(connection, tenant, [row["passage_id"] for row in gone])

    async def left_over(self, tenant: UUID, brought_by: DocumentSource) -> list[UUID]:
        """Documents that an item of a source had before, and this file of it has not."""
        found = await self._all(tenant, "left_over_of_file", **asdict(brought_by))
        return [row["document_id"] for row in found]

    async def readable_collections(self, caller: Caller) -> frozenset[UUID]:
        """Those of its assistant's collections whose audience holds the caller, and the caller's
        own.
        """
        name, values = _readable(caller)
        found = await self._all(caller.scope.tenant, name, **values)
        return frozenset(row["collection_id"] for row in found)

    async def collection(self, tenant: UUID, name: str) -> UUID:
        """A collection by its name. Raises NotFound."""
        found = await self._all(tenant, "find_collection", name=name)
        if not found:
            raise NotFound("collection")
        return found[0]["collection_id"]

    async def access_to(self, tenant: UUID, collection: UUID) -> CollectionAccess:
        """Who may write to a collection. Raises NotFound."""
        found = await self._all(tenant, "collection_access", collection=collection)
        if not found:
            raise NotFound("collection")
        [row] = found
        return CollectionAccess(row["collection_id"], row["owner_id"], frozenset(row["audience"]))

    async def own_collection(self, tenant: UUID, member: UUID) -> UUID:
        """The collection that one person alone reads, made on first use."""
        cell = await self._cells.for_tenant(tenant)
        now = self._clock.now()
        async with cell.transaction(tenant) as connection:
            whose = {"tenant": tenant, "member": member}
            await execute(
                connection, "add_own_collection", **whose, collection=new_id(now), now=now
            )
            row = await fetch_one(connection, "find_own_collection", **whose)
        assert row is not None, "whoever was first made it"
        return row["collection_id"]

    async def places(
        self, tenant: UUID, passages: Collection[UUID], collections: Collection[UUID]
    ) -> dict[UUID, PassageLocation]:
        """Passages with their places, those alone that stand in one of the collections."""
        found = await self._all(
            tenant,
            "passage_locations",
            passages=list(passages),
            collections=list(collections),
        )
        return {row["passage_id"]: rows.place(row) for row in found}

    async def document(
        self, tenant: UUID, outside_id: str, collections: Collection[UUID]
    ) -> Document | None:
        """A document by the id it has outside, in any case; None if the caller may not see it."""
        find = {"lookup_key": lookup_key(outside_id), "collections": list(collections)}
        found = await self._all(tenant, "find_document", **find)
        return rows.document(found[0]) if found else None

    async def listed(
        self, tenant: UUID, collections: Collection[UUID], sought: DocumentFilter
    ) -> list[ListedDocument]:
        """Documents of these collections, the newest first."""
        values = {
            "collections": list(collections),
            "words": " ".join(sought.words.lower().split()),
            "before": sought.before or LAST_ID,
            "count": sought.count,
        }
        found = await self._all(tenant, "list_documents", **values)
        return [
            ListedDocument(rows.document(row), row["collection"], row["passages"]) for row in found
        ]

    async def section_of(
        self, tenant: UUID, passage: UUID, collections: Collection[UUID]
    ) -> list[PassageLocation]:
        """All passages of the section around a passage, in order; none if it may not be seen."""
        find = {"passage": passage, "collections": list(collections)}
        return [rows.place(row) for row in await self._all(tenant, "passages_of_section", **find)]

    async def passages_in(
        self, tenant: UUID, document: UUID, collections: Collection[UUID]
    ) -> list[PassageLocation]:
        """All passages of a document, in order; none if it may not be seen."""
        find = {"document": document, "collections": list(collections)}
        return [rows.place(row) for row in await self._all(tenant, "passages_of_document", **find)]

    async def pointer(self, tenant: UUID) -> IndexPointer:
        """Which build of the index serves."""
        [row] = await self._all(tenant, "find_index_state", subject=LIBRARY_INDEX)
        return IndexPointer(row["index_version"], row["embedder"], row["dimensions"])

    async def serving(self, tenant: UUID) -> SearchSetup:
        """What a search needs to know of the tenant, in one read."""
        [row] = await self._all(tenant, "find_serving", subject=LIBRARY_INDEX)
        return rows.serving(row)

    async def serving_for(self, caller: Caller) -> tuple[SearchSetup, frozenset[UUID]]:
        """The same with the collections that the caller may read, in one read."""
        tenant = caller.scope.tenant
        cell = await self._cells.for_tenant(tenant)
        [serving], readable = await cell.read_together(
            tenant, ("find_serving", {"subject": LIBRARY_INDEX}), _readable(caller)
        )
        return rows.serving(serving), frozenset(row["collection_id"] for row in readable)

    async def collections(self, tenant: UUID) -> frozenset[UUID]:
        """All collections of a tenant, for what operators do."""
        return frozenset(
            row["collection_id"] for row in await self._all(tenant, "list_collections")
        )

    async def changes(self, tenant: UUID, embedder: str, count: int) -> Changes | None:
        """The oldest changes not yet followed; None if there are none."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            oldest = await fetch_all(connection, "oldest_index_changes", tenant=tenant, count=count)
            if not oldest:
                return None
            changed = {row["passage_id"] for row in oldest}
            put = await self._sources(connection, tenant, embedder, changed)
        there = {source.place.passage.id for source in put}
        return Changes(put, changed - there, [row["change_id"] for row in oldest])

    async def followed(self, tenant: UUID, changes: Changes) -> None:
        """Forgets changes that the index knows."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            values = {"tenant": tenant, "changes": list(changes.ids)}
            await execute(connection, "forget_index_changes", **values)

    async def sources(self, tenant: UUID, embedder: str, after: UUID, count: int) -> PassagePage:
        """Every passage in the order of ids, a page at a time, for a rebuild."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            page = {"after": after, "count": count}
            found = await fetch_all(connection, "next_passages", tenant=tenant, **page)
            wanted = [row["passage_id"] for row in found]
            made = await self._sources(connection, tenant, embedder, wanted)
        return PassagePage(made, wanted[-1] if wanted else None)

    async def sources_of(
        self, tenant: UUID, embedder: str, passages: Collection[UUID]
    ) -> Sequence[IndexSource]:
        """Those of the passages that have a vector of this embedder."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            return await self._sources(connection, tenant, embedder, passages)

    async def passage_ids(self, tenant: UUID) -> set[UUID]:
        """Every passage of the record."""
        return {row["passage_id"] for row in await self._all(tenant, "all_passages")}

    async def note_missing(self, tenant: UUID, passages: Collection[UUID]) -> int:
        """Queues passages for the index as if they had changed; tells how many."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            await self._note(connection, tenant, sorted(passages))
        return len(passages)

    async def build(self, tenant: UUID) -> Build | None:
        """The build that is on its way, if there is one."""
        found = await self._all(tenant, "find_index_build")
        return rows.build(found[0]) if found else None

    async def new_generation(self, tenant: UUID) -> int:
        """A number that no build of the tenant has had."""
        [row] = await self._all(tenant, "newest_generation", subject=LIBRARY_INDEX)
        return int(row["newest"]) + 1

    async def keep_build(self, tenant: UUID, build: Build) -> None:
        """Notes how far a build is, in place of any other."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            values = rows.build_columns(build) | {"now": self._clock.now()}
            await execute(connection, "save_index_build", tenant=tenant, **values)

    async def point_at(self, tenant: UUID, pointer: IndexPointer) -> None:
        """Lets another build of the index serve; the one before is dropped some time later."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            await self._pointing.switch(connection, tenant, LIBRARY_INDEX, pointer)
            await execute(connection, "forget_index_build", tenant=tenant)

    async def _add(
        self,
        connection: Connection,
        tenant: UUID,
        document: UUID,
        embedder: str,
        passage: NewPassage,
    ) -> None:
        values = rows.passage_columns(passage)
        await execute(connection, "add_passage", tenant=tenant, document=document, **values)
        await execute(
            connection,
            "add_passage_vector",
            tenant=tenant,
            passage=passage.id,
            embedder=embedder,
            embedding=rows.vector_literal(passage.embedding),
        )

    async def _all(self, tenant: UUID, name: str, /, **values: object) -> list[Row]:
        cell = await self._cells.for_tenant(tenant)
        return await cell.read(tenant, name, **values)

    async def _sources(
        self, connection: Connection, tenant: UUID, embedder: str, passages: Collection[UUID]
    ) -> list[IndexSource]:
        find = {"tenant": tenant, "embedder": embedder, "passages": list(passages)}
        # Vectors in binary: as text they are most of what a rebuild computes.
        cursor = await connection.execute(query("index_sources"), find, binary=True)
        found = await cursor.fetchall()
        return [IndexSource(rows.place(row), row["vector"]) for row in found]

    async def _note(self, connection: Connection, tenant: UUID, passages: Sequence[UUID]) -> None:
        await queue_index_changes(connection, self._jobs, tenant, passages)


def _readable(caller: Caller) -> QueryCall:
    values = {
        "assistant": caller.assistant,
        "groups": sorted(caller.groups),
        "member": caller.scope.user,
    }
    return "readable_collections", values
