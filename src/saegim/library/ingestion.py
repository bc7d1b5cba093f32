"""Ingest a file: parse, split, embed new passages, store in batches."""

import asyncio
import tempfile
import time
from collections.abc import (
    AsyncGenerator,
    Awaitable,
    Callable,
    Coroutine,
    Sequence,
)
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from itertools import batched
from pathlib import Path
from typing import Any
from uuid import UUID

from saegim.domain.errors import Conflict, Unreadable
from saegim.domain.ids import Clock
from saegim.library.import_plan import (
    BATCH,
    DocumentPlan,
    NewText,
    describe,
    file_hash,
    grouped,
    origin_of,
    parsed_as,
    with_fingerprints,
)
from saegim.library.import_repository import PostgresImports
from saegim.library.index_ports import EmbedderChanged
from saegim.library.ingest_repository import PostgresIngests
from saegim.library.originals import Originals
from saegim.library.ports import (
    CompleteDocument,
    FileFingerprint,
    NewPassage,
    Parser,
)
from saegim.library.repository import PostgresLibrary
from saegim.library.splitting import split
from saegim.library.types import (
    FileState,
    Ingest,
    IngestFile,
    ParsedDocument,
)
from saegim.llm.types import Embedders

# The shortest time between progress notes.
NOTE_SECONDS = 0.25
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

    async def give_up(self, tenant: UUID, file: UUID) -> None:
        """Record that the job of a file failed for good."""
        await self._files.give_up(tenant, file)

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
        self, ingest: Ingest, file: IngestFile, group: Sequence[NewText], progress: Progress
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

    async def _embed(self, tenant: UUID, batch: Sequence[tuple[DocumentPlan, int]]) -> _Vectors:
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
