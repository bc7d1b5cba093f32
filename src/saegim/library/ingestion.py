"""Ingest a file: parse, split, embed new passages, store in batches."""

import asyncio
import tempfile
import time
from collections import defaultdict, deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from itertools import batched
from pathlib import Path, PurePath
from typing import Any
from uuid import UUID

from saegim.domain.errors import Conflict, Unreadable
from saegim.domain.ids import Clock, new_id
from saegim.library.index_ports import EmbedderChanged
from saegim.library.ingest_repository import PostgresIngests
from saegim.library.media_types import SUFFIXES
from saegim.library.ports import DocumentSource, NewDocument, NewPassage, Parser
from saegim.library.repository import PostgresLibrary
from saegim.library.splitting import split
from saegim.library.types import (
    FileState,
    Ingest,
    IngestFile,
    ParsedDocument,
    PassageDraft,
    in_context,
)
from saegim.llm.types import Embedders

# The most that is lost when a worker dies: one to two seconds of embedding.
BATCH = 32
# The shortest time between progress notes.
NOTE_SECONDS = 0.25
# Part of each document's hash, so that a better splitter reprocesses unchanged files.
PIPELINE = b"1"
# The longest run of one job; the next job continues a large file.
LONGEST_SECONDS = 600.0


class IngestTimeUp(Exception):
    """The time limit of this job is reached; what it stored stays."""


class IngestCancelled(Exception):
    """The ingest was cancelled."""


@dataclass(slots=True)
class Progress:
    """The progress of a file, and the time limit of this job."""

    until: float
    noted: float = 0.0
    documents: int = 0
    passages: int = 0
    stored: int = 0
    embedded: int = 0
    removed: int = 0

    def counts(self) -> dict[str, int]:
        names = ("documents", "passages", "stored", "embedded", "removed")
        return {name: getattr(self, name) for name in names}


@dataclass(slots=True)
class PassageChanges:
    """Stored passages to keep, drafts to add and passages to remove."""

    kept: dict[UUID, int] = field(default_factory=dict[UUID, int])
    added: list[int] = field(default_factory=list[int])
    removed: set[UUID] = field(default_factory=set[UUID])


type _Vectors = tuple[str, Sequence[Sequence[float]]]
"""The vectors of a batch, after the name of the embedder that made them."""


class Ingestion:
    def __init__(
        self,
        files: PostgresIngests,
        documents: PostgresLibrary,
        parser: Parser,
        embedders: Embedders,
        clock: Clock,
    ) -> None:
        self._files = files
        self._documents = documents
        self._parser = parser
        self._embedders = embedders
        self._clock = clock

    async def ingest(self, tenant: UUID, file: UUID) -> None:
        """Run the job of a file; run again, it continues after the last stored batch."""
        row = await self._files.file(tenant, file)
        if row is None or row[1].state.over:
            return
        try:
            await self._ingest(*row, time.monotonic() + LONGEST_SECONDS)
        except IngestTimeUp:
            await self._files.enqueue(tenant, file)
        except (Unreadable, Conflict) as error:
            await self._files.finish(tenant, file, FileState.FAILED, error.detail or error.code)
        except IngestCancelled:
            await self._files.finish(tenant, file, FileState.CANCELLED, None)
        else:
            await self._files.finish(tenant, file, FileState.DONE, None)

    async def _ingest(self, ingest: Ingest, file: IngestFile, until: float) -> None:
        progress = Progress(until=until)
        source = origin_of(ingest, file)
        if source and not await self._files.is_current(ingest.tenant, source):
            raise IngestCancelled
        await self._note(ingest, file, FileState.READING, progress)
        parsed = await self._read(ingest, file)
        # In a thread: splitting would block the loop that sends the heartbeat.
        drafts = await asyncio.to_thread(lambda: [split(document) for document in parsed])
        progress.documents = len(parsed)
        progress.passages = sum(len(passages) for passages in drafts)
        await self._note(ingest, file, FileState.STORING, progress)
        for number, document in enumerate(parsed):
            new = describe(ingest, file, document, number, len(parsed))
            await self._store(ingest, file, (new, document), drafts[number], progress)
        if source:
            left_over = await self._documents.left_over(ingest.tenant, source)
            await self._documents.discard(ingest.tenant, left_over)
        await self._note(ingest, file, FileState.STORING, progress)

    async def _read(self, ingest: Ingest, file: IngestFile) -> list[ParsedDocument]:
        with tempfile.TemporaryDirectory(prefix="saegim-ingest-") as folder:
            path = Path(folder) / "file"
            await self._files.fetch(ingest.tenant, file.id, path)
            return await self._parser.parse(path, parsed_as(file))

    async def _store(
        self,
        ingest: Ingest,
        file: IngestFile,
        document: tuple[NewDocument, ParsedDocument],
        drafts: Sequence[PassageDraft],
        progress: Progress,
    ) -> None:
        new, parsed = document
        tenant = ingest.tenant
        stored, content_hash = await self._documents.open(tenant, new)
        if content_hash == new.content_hash:
            progress.stored += len(drafts)
            return
        paths = [section.path for section in parsed.sections]
        sections = await self._documents.arrange_sections(tenant, stored, paths)
        hashes = [passage_hash(draft, paths[draft.section], new.title) for draft in drafts]
        plan = compare(hashes, await self._documents.passages_of(tenant, stored))
        progress.stored += len(plan.kept)
        texts = [in_context(draft.text, paths[draft.section], new.title) for draft in drafts]
        embed = partial(self._embed, tenant, texts)
        async with aclosing(ahead(embed, list(batched(plan.added, BATCH)))) as embedded:
            async for batch, vectors in embedded:
                passages = [
                    NewPassage(
                        new_id(self._clock.now()),
                        sections[drafts[index].section],
                        index,
                        hashes[index],
                        drafts[index],
                    )
                    for index in batch
                ]
                await self._add(tenant, stored, passages, vectors, partial(embed, batch))
                progress.stored += len(batch)
                progress.embedded += len(batch)
                await self._note_stored(ingest, file, progress)
        kept = {
            passage: (sections[drafts[index].section], index)
            for passage, index in plan.kept.items()
        }
        progress.removed += len(plan.removed)
        await self._documents.settle(tenant, stored, new, kept, plan.removed)
        await self._note_stored(ingest, file, progress)

    async def _note_stored(self, ingest: Ingest, file: IngestFile, progress: Progress) -> None:
        if time.monotonic() - progress.noted >= NOTE_SECONDS:
            await self._note(ingest, file, FileState.STORING, progress)

    async def _embed(self, tenant: UUID, texts: Sequence[str], chosen: Sequence[int]) -> _Vectors:
        """Embed some of the passages with the tenant's current embedder."""
        name = (await self._documents.serving(tenant)).pointer.embedder
        batch = [texts[index] for index in chosen]
        return name, await self._embedders.named(name).embed(batch, "document")

    async def _add(
        self,
        tenant: UUID,
        document: UUID,
        passages: Sequence[NewPassage],
        vectors: _Vectors,
        embed: Callable[[], Awaitable[_Vectors]],
    ) -> None:
        """Store a batch, embedding it again if the tenant's embedder changed meanwhile."""
        while True:
            try:
                await self._documents.add_passages(tenant, document, passages, *vectors)
            except EmbedderChanged:
                vectors = await embed()
            else:
                return

    async def _note(
        self, ingest: Ingest, file: IngestFile, state: FileState, progress: Progress
    ) -> None:
        if await self._files.progress(ingest.tenant, file.id, state, progress.counts()):
            raise IngestCancelled
        progress.noted = time.monotonic()
        if progress.noted > progress.until:
            raise IngestTimeUp


async def ahead[T, R](
    make: Callable[[T], Coroutine[Any, Any, R]], items: Sequence[T]
) -> AsyncGenerator[tuple[T, R]]:
    """Yield each item with its result, computing the next one in the meantime."""
    task = asyncio.create_task(make(items[0])) if items else None
    try:
        for index, item in enumerate(items):
            assert task is not None, "there are items"
            result = await task
            task = asyncio.create_task(make(items[index + 1])) if index + 1 < len(items) else None
            yield item, result
    finally:
        if task is not None:
            task.cancel()


def describe(
    ingest: Ingest, file: IngestFile, parsed: ParsedDocument, number: int, of: int
) -> NewDocument:
    """Return the document's row, named by itself or by its file and number."""
    name = file.name if of == 1 else f"{file.name}#{number + 1}"
    new = NewDocument(
        collection=ingest.collection,
        outside_id=parsed.outside_id or name,
        type=parsed.type or ingest.type,
        title=parsed.title or (PurePath(file.name).stem if of == 1 else None),
        version="1",
        metadata=parsed.metadata,
        content_hash=b"",
        brought_by=origin_of(ingest, file),
    )
    return replace(new, content_hash=document_hash(new, parsed))


def origin_of(ingest: Ingest, file: IngestFile) -> DocumentSource | None:
    """Return the source item of a file, if any."""
    return None if ingest.source is None else DocumentSource(ingest.source, file.name, file.id)


def parsed_as(file: IngestFile) -> str:
    """Return the name that decides a file's kind; a media type overrides the suffix."""
    suffix = SUFFIXES.get(file.media_type or "", "")
    return file.name if file.name.lower().endswith(suffix) else file.name + suffix


def document_hash(new: NewDocument, parsed: ParsedDocument) -> bytes:
    """Return the hash that identifies an unchanged document."""
    digest = sha256(PIPELINE)
    for part in (new.type, new.title or "", repr(sorted(new.metadata.items()))):
        digest.update(part.encode() + b"\0")
    for section in parsed.sections:
        digest.update("\1".join(section.path).encode() + b"\0")
        for block in section.blocks:
            digest.update(f"{block.kind}:{block.text}\0".encode())
    return digest.digest()


def passage_hash(draft: PassageDraft, path: tuple[str, ...], title: str | None) -> bytes:
    """Return the hash of a passage's text and context."""
    digest = sha256(PIPELINE)
    digest.update(in_context(draft.text, path, title).encode())
    return digest.digest()


def compare(hashes: Sequence[bytes], stored: Mapping[UUID, bytes]) -> PassageChanges:
    """Compare drafts with stored passages by their hashes."""
    unused: dict[bytes, deque[UUID]] = defaultdict(deque)
    for passage, digest in stored.items():
        unused[digest].append(passage)
    changes = PassageChanges()
    for index, digest in enumerate(hashes):
        if unused[digest]:
            changes.kept[unused[digest].popleft()] = index
        else:
            changes.added.append(index)
    changes.removed = stored.keys() - changes.kept.keys()
    return changes
