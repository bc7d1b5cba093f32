"""Writes imported documents, sections and passages to Postgres."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from saegim.auth.repository import LIBRARY_INDEX
from saegim.db.cells import Cells, Connection, Row, execute, fetch_all
from saegim.domain.errors import Conflict
from saegim.domain.ids import Clock, new_id
from saegim.jobs.queue import JobQueue
from saegim.library import rows
from saegim.library.active_index import active_embedder
from saegim.library.index_ports import EmbedderChanged
from saegim.library.jobs import queue_index_changes
from saegim.library.ports import (
    CompleteDocument,
    DocumentSource,
    NewDocument,
    NewPassage,
    StoredDocument,
)
from saegim.library.types import lookup_key

FIRST_YEAR = 1985
ONE_DAY = timedelta(days=1)


class PostgresImports:
    def __init__(self, cells: Cells, jobs: JobQueue, clock: Clock) -> None:
        self._cells = cells
        self._jobs = jobs
        self._clock = clock

    async def open(
        self, tenant: UUID, documents: Sequence[tuple[NewDocument, Sequence[tuple[str, ...]]]]
    ) -> list[StoredDocument]:
        """Return documents of one collection as they are stored, given the paths of their sections.

        New documents and sections are created. Raises Conflict if a document came from another
        source.
        """
        async with self._cells.transaction(tenant) as connection:
            names = [new.outside_id for new, _ in documents]
            find = {"tenant": tenant, "collection": documents[0][0].collection, "names": names}
            found = await fetch_all(connection, "find_known_documents", **find)
            known = {row["outside_id"]: row for row in found}
            return [
                await self._open(connection, tenant, new, paths, known.get(new.outside_id))
                for new, paths in documents
            ]

    async def _open(
        self,
        connection: Connection,
        tenant: UUID,
        new: NewDocument,
        paths: Sequence[tuple[str, ...]],
        known: Row | None,
    ) -> StoredDocument:
        if known is None:
            document = await self._create(connection, tenant, new)
        elif new.brought_by is not None and known["source_id"] != new.brought_by.source:
            raise Conflict("taken: a document with this ID came from another source")
        else:
            document = known["document_id"]
        find = {"tenant": tenant, "document": document}
        if new.brought_by is not None:
            await execute(connection, "stamp_document", **find, **asdict(new.brought_by))
        if known is not None and known["content_hash"] == new.content_hash:
            await execute(connection, "stamp_file", **find, **self._trust(new))
            return StoredDocument(document, unchanged=True)
        sections = await self._arrange_sections(connection, tenant, document, paths)
        stored = [] if known is None else await fetch_all(connection, "stored_passages", **find)
        hashes = {row["passage_id"]: row["content_hash"] for row in stored}
        return StoredDocument(document, unchanged=False, sections=sections, passages=hashes)

    async def _create(self, connection: Connection, tenant: UUID, new: NewDocument) -> UUID:
        now = self._clock.now()
        document = new_id(now)
        await execute(
            connection,
            "open_document",
            tenant=tenant,
            collection=new.collection,
            outside_id=new.outside_id,
            document=document,
            lookup_key=lookup_key(new.outside_id),
            type=new.type,
            title=new.title,
            version=new.version,
            metadata=Jsonb(dict(new.metadata)),
            now=now,
        )
        return document

    async def _arrange_sections(
        self,
        connection: Connection,
        tenant: UUID,
        document: UUID,
        paths: Sequence[tuple[str, ...]],
    ) -> list[UUID]:
        """Store the document's sections; return their ids in order. Known sections keep theirs."""
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
        arranged: tuple[int, tuple[str, ...], UUID | None],
    ) -> UUID:
        """Move a known section to its position, or create it there."""
        ordinal, path, known = arranged
        section = known or new_id(self._clock.now())
        values = {"tenant": tenant, "section": section, "ordinal": ordinal}
        if known is None:
            more = {"document": document, "path": list(path)}
            await execute(connection, "add_section", **values, **more)
        else:
            await execute(connection, "move_section", **values)
        return section

    async def store(
        self,
        tenant: UUID,
        passages: Sequence[NewPassage],
        vectors: tuple[str, Sequence[Sequence[float]]],
        complete: Sequence[CompleteDocument] = (),
    ) -> None:
        """Store new passages with their vectors, complete documents, and queue the index update.

        The vectors follow the name of their embedder. All in one transaction. Raises
        EmbedderChanged if the tenant's index uses another embedder now.
        """
        embedder, values = vectors
        async with self._cells.transaction(tenant) as connection:
            if passages and await active_embedder(connection, tenant, LIBRARY_INDEX) != embedder:
                raise EmbedderChanged(embedder)
            async with connection.pipeline():
                for passage, vector in zip(passages, values, strict=True):
                    columns = rows.passage_columns(passage)
                    add = {"tenant": tenant, "passage": passage.id}
                    await execute(connection, "add_passage", **add, **columns)
                    embedding = {"embedder": embedder, "embedding": rows.vector_literal(vector)}
                    await execute(connection, "add_passage_vector", **add, **embedding)
            changed = [passage.id for passage in passages]
            for document in complete:
                changed += await self._complete(connection, tenant, document)
            await queue_index_changes(connection, self._jobs, tenant, changed)

    async def _complete(
        self, connection: Connection, tenant: UUID, document: CompleteDocument
    ) -> list[UUID]:
        """Move the kept passages to their section and position, and remove the others.

        Returns the passages that change in the index."""
        new = document.new
        find = {"tenant": tenant, "document": document.id}
        named = {"type": new.type, "title": new.title}
        retyped = await fetch_all(connection, "retyped_passages", **find, **named)
        async with connection.pipeline():
            for passage, (section, ordinal, locator) in document.kept.items():
                location = {"passage": passage, "section": section, "ordinal": ordinal}
                column = rows.locator_column(locator)
                await execute(connection, "move_passage", tenant=tenant, locator=column, **location)
            if document.removed:
                removed = list(document.removed)
                await execute(connection, "remove_passages", tenant=tenant, passages=removed)
            await execute(connection, "remove_empty_sections", **find)
            await execute(
                connection,
                "settle_document",
                **find,
                **named,
                version=new.version,
                metadata=Jsonb(dict(new.metadata)),
                content_hash=new.content_hash,
                **self._trust(new),
            )
        return [*document.removed, *(row["passage_id"] for row in retyped)]

    def _trust(self, new: NewDocument) -> dict[str, Any]:
        """Return the columns that say where a document comes from, and tell its copies."""
        now = self._clock.now()
        modified = new.modified_at if is_plausible(new.modified_at, now) else None
        signature = None if new.text.signature is None else list(new.text.signature)
        return {
            **asdict(new.from_file),
            **asdict(new.text),
            "signature": signature,
            "modified": modified,
            "added_by": new.added_by,
            "now": now,
        }

    async def left_over(self, tenant: UUID, brought_by: DocumentSource) -> list[UUID]:
        """Return the documents of a source's item that its new file no longer has."""
        found = await self._cells.read(tenant, "left_over_of_file", **asdict(brought_by))
        return [row["document_id"] for row in found]


def is_plausible(modified: datetime | None, now: datetime) -> bool:
    """Return whether a date of change can be right: files without one often say 1970 or 1980."""
    return modified is not None and modified.year >= FIRST_YEAR and modified < now + ONE_DAY
