"""Ingest a file: parse, split, embed new passages, store in batches."""

import asyncio
import tempfile
import time
from collections import defaultdict, deque
from collections.abc import (
    AsyncGenerator,
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from itertools import batched
from pathlib import Path, PurePath
from typing import Any
from uuid import UUID

from saegim import __version__
from saegim.domain.errors import Conflict, Unreadable
from saegim.domain.ids import Clock, new_id
from saegim.library.duplicates import fingerprint
from saegim.library.embedded_text import embedded_text
from saegim.library.import_repository import PostgresImports
from saegim.library.index_ports import EmbedderChanged
from saegim.library.ingest_repository import PostgresIngests
from saegim.library.media_types import SUFFIXES
from saegim.library.originals import Originals
from saegim.library.ports import (
    CompleteDocument,
    DocumentSource,
    FileFingerprint,
    NewDocument,
    NewPassage,
    Parser,
    StoredDocument,
)
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
    document: UUID | None = None
    """The document of a file that is one."""

    def counts(self) -> dict[str, int]:
        names = ("documents", "passages", "stored", "embedded", "removed")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class NewText:
    """A document of a file with its text, parsed and split."""

    new: NewDocument
    parsed: ParsedDocument
    drafts: Sequence[PassageDraft]

    @property
    def paths(self) -> list[tuple[str, ...]]:
        return [section.path for section in self.parsed.sections]

    def with_fingerprint(self) -> "NewText":
        """Return the document with what tells its copies."""
        new, texts = self.new, (draft.text for draft in self.drafts)
        return replace(self, new=replace(new, text=fingerprint(texts, new.title, new.type)))

    def in_context(self, index: int) -> str:
        """Return the text of a passage under its headings."""
        return in_context(*self._place(index))

    def embedded(self, index: int) -> str:
        """Return the text that the vector of a passage is made of."""
        return embedded_text(*self._place(index))

    def _place(self, index: int) -> tuple[str, tuple[str, ...], str | None]:
        draft = self.drafts[index]
        return draft.text, self.parsed.sections[draft.section].path, self.new.title


@dataclass(slots=True)
class PassageChanges:
    """Stored passages to keep, drafts to add and passages to remove."""

    kept: dict[UUID, int] = field(default_factory=dict[UUID, int])
    added: list[int] = field(default_factory=list[int])
    removed: set[UUID] = field(default_factory=set[UUID])


@dataclass(frozen=True, slots=True)
class DocumentPlan:
    """How a stored document becomes the new one."""

    text: NewText
    stored: StoredDocument
    hashes: Sequence[bytes]
    changes: PassageChanges

    @classmethod
    def of(cls, text: NewText, stored: StoredDocument) -> "DocumentPlan":
        hashes = [passage_hash(text.in_context(index)) for index in range(len(text.drafts))]
        return cls(text, stored, hashes, compare(hashes, stored.passages))

    def passage(self, index: int, clock: Clock) -> NewPassage:
        """Return a passage to add, with a new id."""
        draft = self.text.drafts[index]
        section = self.stored.sections[draft.section]
        new = new_id(clock.now())
        return NewPassage(new, self.stored.id, section, index, self.hashes[index], draft)

    def complete(self) -> CompleteDocument:
        """Return the document as it is once its new passages are stored."""
        drafts, sections = self.text.drafts, self.stored.sections
        kept = {
            passage: (sections[drafts[index].section], index, drafts[index].locator)
            for passage, index in self.changes.kept.items()
        }
        return CompleteDocument(self.stored.id, self.text.new, kept, self.changes.removed)


type _Vectors = tuple[str, Sequence[Sequence[float]]]
"""The vectors of a batch, after the name of the embedder that made them."""


class Ingestion:
    def __init__(  # noqa: PLR0913 - the stages of an import
        self,
        files: PostgresIngests,
        documents: PostgresLibrary,
        imports: PostgresImports,
        parser: Parser,
        embedders: Embedders,
        originals: Originals,
        clock: Clock,
    ) -> None:
        self._files = files
        self._documents = documents
        self._imports = imports
        self._parser = parser
        self._embedders = embedders
        self._originals = originals
        self._clock = clock

    async def ingest(self, tenant: UUID, file: UUID) -> None:
        """Run the job of a file; run again, it continues after the last stored batch."""
        row = await self._files.start(tenant, file)
        if row is None:
            return
        progress = Progress(until=time.monotonic() + LONGEST_SECONDS)
        state, reason = FileState.DONE, None
        try:
            await self._ingest(*row, progress)
        except IngestTimeUp:
            await self._files.enqueue(tenant, file)
            return
        except (Unreadable, Conflict) as error:
            state, reason = FileState.FAILED, error.detail or error.code
        except IngestCancelled:
            state = FileState.CANCELLED
        counts, document = progress.counts(), progress.document
        await self._files.finish(tenant, file, state, reason, counts, document)

    async def _ingest(self, ingest: Ingest, file: IngestFile, progress: Progress) -> None:
        source = origin_of(ingest, file)
        if ingest.cancelled or (source and not await self._files.is_current(ingest.tenant, source)):
            raise IngestCancelled
        parsed, digest = await self._read(ingest, file)
        # In a thread: splitting would block the loop that sends the heartbeat.
        drafts = await asyncio.to_thread(lambda: [split(document) for document in parsed])
        progress.documents = len(parsed)
        progress.passages = sum(len(passages) for passages in drafts)
        await self._note(ingest, file, FileState.STORING, progress)
        from_file = FileFingerprint(digest, len(parsed))
        documents = [
            NewText(describe(ingest, file, document, number, from_file), document, passages)
            for number, (document, passages) in enumerate(zip(parsed, drafts, strict=True))
        ]
        documents = await asyncio.to_thread(with_fingerprints, documents)
        for group in grouped(documents):
            await self._store(ingest, file, group, progress)
        if source:
            left_over = await self._imports.left_over(ingest.tenant, source)
            await self._documents.discard(ingest.tenant, left_over)
        await self._originals.keep(ingest, file, digest)

    async def _read(self, ingest: Ingest, file: IngestFile) -> tuple[list[ParsedDocument], bytes]:
        """Parse a file; return its documents and its fingerprint."""
        with tempfile.TemporaryDirectory(prefix="saegim-ingest-") as folder:
            path = Path(folder) / "file"
            content_hash = await self._files.fetch(ingest.tenant, file, path)
            name = parsed_as(file)
            return await self._parser.parse(path, name), file_hash(name, ingest.type, content_hash)

    async def _store(
        self, ingest: Ingest, file: IngestFile, group: Sequence["NewText"], progress: Progress
    ) -> None:
        """Store a group of documents: their new passages in batches, and with the last one which
        passages they keep and lose."""
        tenant = ingest.tenant
        opened = await self._imports.open(tenant, [(each.new, each.paths) for each in group])
        progress.document = opened[0].id if progress.documents == 1 else None
        plans = [
            DocumentPlan.of(text, stored)
            for text, stored in zip(group, opened, strict=True)
            if not stored.unchanged
        ]
        added = [(plan, index) for plan in plans for index in plan.changes.added]
        progress.stored += sum(len(each.drafts) for each in group) - len(added)
        progress.removed += sum(len(plan.changes.removed) for plan in plans)
        batches = list(batched(added, BATCH)) or [()]
        embed = partial(self._embed, tenant)
        async with aclosing(ahead(embed, batches)) as embedded:
            async for batch, vectors in embedded:
                passages = [plan.passage(index, self._clock) for plan, index in batch]
                complete = [plan.complete() for plan in plans] if batch is batches[-1] else []
                if passages or complete:
                    await self._add(tenant, passages, vectors, complete, partial(embed, batch))
                progress.stored += len(batch)
                progress.embedded += len(batch)
                await self._note_stored(ingest, file, progress)

    async def _note_stored(self, ingest: Ingest, file: IngestFile, progress: Progress) -> None:
        if time.monotonic() - progress.noted >= NOTE_SECONDS:
            await self._note(ingest, file, FileState.STORING, progress)

    async def _embed(self, tenant: UUID, batch: Sequence[tuple["DocumentPlan", int]]) -> _Vectors:
        """Embed passages with the tenant's current embedder."""
        if not batch:
            return "", ()
        name = (await self._documents.serving(tenant)).pointer.embedder
        texts = [plan.text.embedded(index) for plan, index in batch]
        return name, await self._embedders.named(name).embed(texts, "document")

    async def _add(
        self,
        tenant: UUID,
        passages: Sequence[NewPassage],
        vectors: _Vectors,
        complete: Sequence[CompleteDocument],
        embed: Callable[[], Awaitable[_Vectors]],
    ) -> None:
        """Store a batch, embedding it again if the tenant's embedder changed meanwhile."""
        while True:
            try:
                await self._imports.store(tenant, passages, vectors, complete)
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


def with_fingerprints(documents: Iterable[NewText]) -> list[NewText]:
    return [each.with_fingerprint() for each in documents]


def grouped(documents: Iterable[NewText]) -> Iterator[list[NewText]]:
    """Group short documents, so that one batch has the passages of several. A group has no two
    documents with the same id: the later one replaces the earlier."""
    group: list[NewText] = []
    size = 0
    for each in documents:
        # One without passages counts, too.
        cost = max(len(each.drafts), 1)
        if group and (size + cost > BATCH or is_repeated(each, group)):
            yield group
            group, size = [], 0
        group.append(each)
        size += cost
    if group:
        yield group


def is_repeated(text: NewText, group: Sequence[NewText]) -> bool:
    return any(each.new.outside_id == text.new.outside_id for each in group)


def describe(
    ingest: Ingest,
    file: IngestFile,
    parsed: ParsedDocument,
    number: int,
    from_file: FileFingerprint,
) -> NewDocument:
    """Return the document's row, named by itself or by its file and number."""
    of = from_file.documents
    name = file.name if of == 1 else f"{file.name}#{number + 1}"
    new = NewDocument(
        collection=ingest.collection,
        outside_id=parsed.outside_id or name,
        type=parsed.type or ingest.type,
        title=parsed.title or (PurePath(file.name).stem if of == 1 else None),
        version="1",
        metadata=parsed.metadata,
        content_hash=b"",
        from_file=from_file,
        brought_by=origin_of(ingest, file),
        modified_at=parsed.modified_at or file.modified_at,
        added_by=ingest.added_by,
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
            if block.locator is not None:
                digest.update(repr(block.locator.parts()).encode())
    return digest.digest()


def file_hash(name: str, type: str, content_hash: bytes) -> bytes:  # noqa: A002 - the API's word
    """Return the hash of a file and of all that decides what becomes of it.

    The release is part of it, so that files are parsed again by a better parser."""
    parts = (__version__, type, name)
    return sha256("\0".join(parts).encode() + b"\0" + content_hash).digest()


def passage_hash(text: str) -> bytes:
    """Return the hash of a passage's text in its context."""
    return sha256(PIPELINE + text.encode()).digest()


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
