"""Documents, sections and passages in Postgres: implements `DocumentStore` and `IndexFeed`."""

from collections.abc import Collection, Sequence
from uuid import UUID

from psycopg.types.json import Jsonb

from saegim.adapters.postgres import library_rows as rows
from saegim.adapters.postgres.access import LIBRARY_INDEX
from saegim.adapters.postgres.cells import Cells, Connection, Row, execute, fetch_all, fetch_one
from saegim.adapters.postgres.jobs import JobQueue
from saegim.adapters.postgres.queries import query
from saegim.domain.clock import Clock
from saegim.domain.errors import NotFound
from saegim.domain.ids import new_id
from saegim.domain.jobs import Job, JobKind
from saegim.domain.scope import Caller
from saegim.library.indexing import index_lock
from saegim.library.ports import (
    Arrangement,
    Changes,
    IndexPointer,
    IndexSource,
    KnownDocument,
    NewDocument,
    NewPassage,
    Place,
)
from saegim.library.types import Document, StoredPassage, lookup_key

BEFORE_ALL = UUID(int=0)


class PostgresLibrary:
    def __init__(self, cells: Cells, jobs: JobQueue, clock: Clock) -> None:
        self._cells = cells
        self._jobs = jobs
        self._clock = clock

    async def open(self, tenant: UUID, new: NewDocument) -> KnownDocument:
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
        return KnownDocument(row["document_id"], row["content_hash"])

    async def passages_of(self, tenant: UUID, document: UUID) -> list[StoredPassage]:
        found = await self._all(tenant, "stored_passages", document=document)
        return [
            StoredPassage(row["passage_id"], row["section_id"], row["ordinal"], row["content_hash"])
            for row in found
        ]

    async def arrange_sections(
        self, tenant: UUID, document: UUID, paths: Sequence[tuple[str, ...]]
    ) -> list[UUID]:
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
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection, connection.pipeline():
            for passage in passages:
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
            await self._note(connection, tenant, [passage.id for passage in passages])

    async def settle(
        self, tenant: UUID, document: UUID, new: NewDocument, shape: Arrangement
    ) -> None:
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
        tenant = caller.scope.tenant
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            find = {"tenant": tenant, "document": document}
            gone = await fetch_all(connection, "passages_to_remove", **find)
            if await fetch_one(connection, "remove_document", **find) is None:
                raise NotFound("document")
            await self._note(connection, tenant, [row["passage_id"] for row in gone])

    async def readable_collections(
        self, caller: Caller, within: Collection[UUID]
    ) -> frozenset[UUID]:
        found = await self._all(
            caller.scope.tenant,
            "readable_collections",
            collections=list(within),
            groups=sorted(caller.groups),
        )
        return frozenset(row["collection_id"] for row in found)

    async def collection(self, tenant: UUID, name: str) -> UUID:
        found = await self._all(tenant, "find_collection", name=name)
        if not found:
            raise NotFound("collection")
        return found[0]["collection_id"]

    async def places(
        self, tenant: UUID, passages: Collection[UUID], collections: Collection[UUID]
    ) -> dict[UUID, Place]:
        found = await self._all(
            tenant,
            "places_of_passages",
            passages=list(passages),
            collections=list(collections),
        )
        return {row["passage_id"]: rows.place(row) for row in found}

    async def document(
        self, tenant: UUID, outside_id: str, collections: Collection[UUID]
    ) -> Document | None:
        find = {"lookup_key": lookup_key(outside_id), "collections": list(collections)}
        found = await self._all(tenant, "find_document", **find)
        return rows.document(found[0]) if found else None

    async def section_of(
        self, tenant: UUID, passage: UUID, collections: Collection[UUID]
    ) -> list[Place]:
        find = {"passage": passage, "collections": list(collections)}
        return [rows.place(row) for row in await self._all(tenant, "passages_of_section", **find)]

    async def passages_in(
        self, tenant: UUID, document: UUID, collections: Collection[UUID]
    ) -> list[Place]:
        find = {"document": document, "collections": list(collections)}
        return [rows.place(row) for row in await self._all(tenant, "passages_of_document", **find)]

    async def pointer(self, tenant: UUID) -> IndexPointer:
        [row] = await self._all(tenant, "find_index_state", subject=LIBRARY_INDEX)
        return IndexPointer(row["index_version"], row["embedder"], row["dimensions"])

    async def changes(self, tenant: UUID, embedder: str, count: int) -> Changes | None:
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
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            values = {"tenant": tenant, "changes": list(changes.ids)}
            await execute(connection, "forget_index_changes", **values)

    async def sources(
        self, tenant: UUID, embedder: str, after: UUID | None, count: int
    ) -> Sequence[IndexSource]:
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            page = {"after": after or BEFORE_ALL, "count": count}
            found = await fetch_all(connection, "next_passages", tenant=tenant, **page)
            wanted = {row["passage_id"] for row in found}
            made = await self._sources(connection, tenant, embedder, wanted)
        return sorted(made, key=lambda source: source.place.passage.id)

    async def passage_ids(self, tenant: UUID) -> set[UUID]:
        return {row["passage_id"] for row in await self._all(tenant, "all_passages")}

    async def note_missing(self, tenant: UUID, passages: Collection[UUID]) -> int:
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            await self._note(connection, tenant, sorted(passages))
        return len(passages)

    async def point_at(self, tenant: UUID, pointer: IndexPointer) -> None:
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            await execute(
                connection,
                "point_at_index",
                tenant=tenant,
                subject=LIBRARY_INDEX,
                generation=pointer.generation,
                embedder=pointer.embedder,
                dimensions=pointer.dimensions,
                now=self._clock.now(),
            )

    async def _all(self, tenant: UUID, name: str, /, **values: object) -> list[Row]:
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            return await fetch_all(connection, name, tenant=tenant, **values)

    async def _sources(
        self, connection: Connection, tenant: UUID, embedder: str, passages: Collection[UUID]
    ) -> list[IndexSource]:
        find = {"tenant": tenant, "embedder": embedder, "passages": list(passages)}
        # Vectors in binary: as text they are most of what a rebuild computes.
        cursor = await connection.execute(query("index_sources"), find, binary=True)
        found = await cursor.fetchall()
        return [IndexSource(rows.place(row), row["vector"]) for row in found]

    async def _note(self, connection: Connection, tenant: UUID, passages: Sequence[UUID]) -> None:
        """Tells the index, in the same transaction, that these passages changed."""
        if not passages:
            return
        values = {"tenant": tenant, "passages": list(passages)}
        await execute(connection, "note_index_change", **values)
        job = Job(JobKind.FOLLOW_INDEX, tenant, tenant, lock=index_lock(tenant))
        await self._jobs.defer_once(connection, job)
