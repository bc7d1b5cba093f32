"""A file on its way in: read it, split it, embed what is new, store it batch by batch."""

import asyncio
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
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
from saegim.library.ports import Arrangement, DocumentSource, NewDocument, NewPassage, Parser
from saegim.library.repository import PostgresLibrary
from saegim.library.splitting import split
from saegim.library.types import (
    FileState,
    Ingest,
    IngestFile,
    ParsedDocument,
    PassageDraft,
    StoredPassage,
    in_context,
)
from saegim.llm.types import Embedders

# A batch is what is lost at most when a worker dies: about a second of embedding.
BATCH = 64
# How often at most progress is noted; a list of short documents would note little else.
NOTE_SECONDS = 0.25
# Counts in the hash of a document, so that a better splitter makes unchanged files new.
PIPELINE = b"1"


# A job may not run for ever: what is left of a large file is the next job's.
LONGEST_SECONDS = 600.0


class IngestTimeUp(Exception):
    """The job has run long enough; what it stored stays."""


class IngestCancelled(Exception):
    """The ingest was stopped by whoever started it."""


@dataclass(slots=True)
class Progress:
    """How far a file is, and until when this job may go on."""

    until: float
    noted: float = 0.0
    documents: int = 0
    passages: int = 0
    stored: int = 0
    embedded: int = 0
    removed: int = 0

    def counts(self) -> dict[str, int]:
        counted = ("documents", "passages", "stored", "embedded", "removed")
        return {name: getattr(self, name) for name in counted}


@dataclass(slots=True)
class PassageChanges:
    """How a document becomes what was parsed: passages that stay, come and go."""

    kept: dict[UUID, int] = field(default_factory=dict[UUID, int])
    added: list[int] = field(default_factory=list[int])
    removed: set[UUID] = field(default_factory=set[UUID])


@dataclass(frozen=True, slots=True)
class Vectors:
    """Vectors of a batch, and the embedder that made them."""

    embedder: str
    of: Sequence[Sequence[float]]


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
        """The job of one file. Run again, it goes on after the last stored batch."""
        found = await self._files.file(tenant, file)
        if found is None or found[1].state.over:
            return
        ingest, details = found
        try:
            await self._ingest(ingest, details, time.monotonic() + LONGEST_SECONDS)
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
        brought_by = origin_of(ingest, file)
        if brought_by and not await self._files.is_current(ingest.tenant, brought_by):
            raise IngestCancelled
        await self._note(ingest, file, FileState.READING, progress)
        parsed = await self._read(ingest, file)
        # A millisecond of computing a passage: not on the loop that keeps the heartbeat.
        drafts = await asyncio.to_thread(lambda: [split(document) for document in parsed])
        progress.documents = len(parsed)
        progress.passages = sum(len(passages) for passages in drafts)
        await self._note(ingest, file, FileState.STORING, progress)
        for number, document in enumerate(parsed):
            new = describe(ingest, file, document, number, len(parsed))
            await self._store(ingest, file, (new, document), drafts[number], progress)
        if brought_by:
            gone = await self._documents.left_over(ingest.tenant, brought_by)
            await self._documents.discard(ingest.tenant, gone)
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
        known = await self._documents.open(tenant, new)
        if known.content_hash == new.content_hash:
            progress.stored += len(drafts)
            return
        paths = [section.path for section in parsed.sections]
        sections = await self._documents.arrange_sections(tenant, known.id, paths)
        hashes = [passage_hash(draft, paths[draft.section], new.title) for draft in drafts]
        plan = compare(hashes, await self._documents.passages_of(tenant, known.id))
        progress.stored += len(plan.kept)
        headed = [in_context(draft.text, paths[draft.section], new.title) for draft in drafts]
        embed = partial(self._embed, tenant, headed)
        async with aclosing(ahead(embed, list(batched(plan.added, BATCH)))) as embedded:
            async for batch, vectors in embedded:
                made = self._make(drafts, hashes, sections, batch)
                await self._add(tenant, known.id, made, vectors, partial(embed, batch))
                progress.stored += len(batch)
                progress.embedded += len(batch)
                await self._note_storing(ingest, file, progress)
        kept = {
            passage: (sections[drafts[index].section], index)
            for passage, index in plan.kept.items()
        }
        progress.removed += len(plan.removed)
        shape = Arrangement(kept, frozenset(plan.removed), new.content_hash)
        await self._documents.settle(tenant, known.id, new, shape)
        await self._note_storing(ingest, file, progress)

    def _make(
        self,
        drafts: Sequence[PassageDraft],
        hashes: Sequence[bytes],
        sections: Sequence[UUID],
        chosen: Sequence[int],
    ) -> list[NewPassage]:
        return [
            NewPassage(
                id=new_id(self._clock.now()),
                section=sections[drafts[index].section],
                ordinal=index,
                text=drafts[index].text,
                content_hash=hashes[index],
                tokens=drafts[index].tokens,
                tags=drafts[index].tags,
                embedding=(),
            )
            for index in chosen
        ]

    async def _note_storing(self, ingest: Ingest, file: IngestFile, progress: Progress) -> None:
        if time.monotonic() - progress.noted >= NOTE_SECONDS:
            await self._note(ingest, file, FileState.STORING, progress)

    async def _embed(self, tenant: UUID, headed: Sequence[str], chosen: Sequence[int]) -> Vectors:
        """Vectors of some of the passages, by the embedder that the tenant has now."""
        name = (await self._documents.serving(tenant)).pointer.embedder
        texts = [headed[index] for index in chosen]
        return Vectors(name, await self._embedders.named(name).embed(texts, "document"))

    async def _add(
        self,
        tenant: UUID,
        document: UUID,
        made: Sequence[NewPassage],
        vectors: Vectors,
        again: Callable[[], Awaitable[Vectors]],
    ) -> None:
        """Stores a batch; embedded once more where the tenant moved to another embedder."""
        while True:
            batch = [
                replace(passage, embedding=vector)
                for passage, vector in zip(made, vectors.of, strict=True)
            ]
            try:
                await self._documents.add_passages(tenant, document, vectors.embedder, batch)
            except EmbedderChanged:
                vectors = await again()
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
    """Each item with what is made of it; the next one is being made while one is used."""
    coming = asyncio.create_task(make(items[0])) if items else None
    try:
        for at, item in enumerate(items):
            assert coming is not None, "there are items"
            made = await coming
            coming = asyncio.create_task(make(items[at + 1])) if at + 1 < len(items) else None
            yield item, made
    finally:
        if coming is not None:
            coming.cancel()


def describe(
    ingest: Ingest, file: IngestFile, parsed: ParsedDocument, number: int, of: int
) -> NewDocument:
    """The document's row: named by itself, else by its file, numbered where a file holds many."""
    named = file.name if of == 1 else f"{file.name}#{number + 1}"
    new = NewDocument(
        collection=ingest.collection,
        outside_id=parsed.outside_id or named,
        type=parsed.type or ingest.type,
        title=parsed.title or (PurePath(file.name).stem if of == 1 else None),
        version="1",
        metadata=parsed.metadata,
        content_hash=b"",
        brought_by=origin_of(ingest, file),
    )
    return replace(new, content_hash=document_hash(new, parsed))


def origin_of(ingest: Ingest, file: IngestFile) -> DocumentSource | None:
    """The source's item that a file is, if it is one's."""
    return None if ingest.source is None else DocumentSource(ingest.source, file.name, file.id)


def parsed_as(file: IngestFile) -> str:
    """The name that tells a file's kind: what a web server says goes before what is in a URL."""
    suffix = SUFFIXES.get(file.media_type or "", "")
    return file.name if file.name.lower().endswith(suffix) else file.name + suffix


def document_hash(new: NewDocument, parsed: ParsedDocument) -> bytes:
    """What tells that a document is stored already, exactly as it is."""
    digest = sha256(PIPELINE)
    for part in (new.type, new.title or "", repr(sorted(new.metadata.items()))):
        digest.update(part.encode() + b"\0")
    for section in parsed.sections:
        digest.update("\1".join(section.path).encode() + b"\0")
        for block in section.blocks:
            digest.update(f"{block.kind}:{block.text}\0".encode())
    return digest.digest()


def passage_hash(draft: PassageDraft, path: tuple[str, ...], title: str | None) -> bytes:
    """What tells a passage from another: its text, and what it is embedded with."""
    digest = sha256(PIPELINE)
    digest.update(in_context(draft.text, path, title).encode())
    return digest.digest()


def compare(hashes: Sequence[bytes], stored: Sequence[StoredPassage]) -> PassageChanges:
    """Which stored passages stay and where, which drafts are new, and what is gone."""
    there: dict[bytes, list[UUID]] = defaultdict(list)
    for passage in stored:
        there[passage.content_hash].append(passage.id)
    plan = PassageChanges()
    used: Counter[bytes] = Counter()
    for index, digest in enumerate(hashes):
        same = there.get(digest, [])
        if used[digest] < len(same):
            plan.kept[same[used[digest]]] = index
            used[digest] += 1
        else:
            plan.added.append(index)
    plan.removed = {passage.id for passage in stored} - set(plan.kept)
    return plan
