"""Ingests: upload files and follow their progress."""

import asyncio
import contextlib
import unicodedata
from collections.abc import AsyncGenerator
from typing import Annotated, Self
from uuid import UUID

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, Field

from saegim.api.caller import CallDep
from saegim.api.problems import locale_of
from saegim.api.views import View, example
from saegim.audit.types import AuditAction
from saegim.domain.errors import TooLarge, Unavailable
from saegim.domain.scope import Locale
from saegim.library.parsing.limits import reason_text
from saegim.library.types import FileState, Ingest, IngestFile

RAW = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
router = APIRouter(prefix="/v1", tags=["library"])

PART_BYTES = 1 << 20
LARGEST_FILE_BYTES = 200 << 20

FileName = Annotated[str, Path(min_length=1, max_length=500)]


class NewIngest(BaseModel, extra="forbid"):
    """The collection of the files, and their document type unless a file sets its own."""

    model_config = example(collection="default")

    collection: Annotated[str, Field(max_length=200)] = "default"
    type: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")] = "guide"
    own: Annotated[bool, Field(description="Only the caller can read the documents.")] = False


Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="SHA-256 in hexadecimal.")]


class LocalFiles(BaseModel, extra="forbid"):
    """Files of the client, by name, with the SHA-256 of their content."""

    model_config = example(files={"guide.md": "0" * 64})

    files: Annotated[dict[str, Sha256], Field(max_length=1_000)]


class UnchangedFiles(View):
    """The names of files that need no upload."""

    unchanged: list[str]


class FileView(View):
    """Progress of a file: `stored` of `passages` are indexed, `embedded` of them were new."""

    file_id: UUID
    name: str
    size: int
    state: FileState
    documents: int
    passages: int
    stored: int
    embedded: int
    removed: int
    error: str | None
    document_id: Annotated[
        UUID | None, Field(description="The document of a finished file that is one document.")
    ]
    message: Annotated[str | None, Field(description="The error in words.")]

    @classmethod
    def in_words(cls, file: IngestFile, locale: Locale) -> Self:
        """Builds the view with the error in a language."""
        text = None if file.error is None else reason_text(file.error, locale)
        return cls.of(file, message=text)


class IngestView(View):
    """An ingest with its files. `over` is true when all of them are finished."""

    ingest_id: UUID
    over: bool
    cancelled: bool
    files: list[FileView]

    @classmethod
    def in_words(cls, ingest: Ingest, request: Request) -> Self:
        """Builds the view in the language of the request."""
        locale = locale_of(request)
        return cls.of(ingest, files=[FileView.in_words(file, locale) for file in ingest.files])


@router.post("/ingests", status_code=201)
async def open_ingest(body: NewIngest, call: CallDep) -> IngestView:
    """Creates an ingest into a collection, or into the caller's private documents."""
    if body.own:
        opened = await call.services.library.ingests.open_own(call.caller, body.type)
    else:
        opened = await call.services.library.ingests.open(call.caller, body.collection, body.type)
    return IngestView.in_words(opened, call.request)


@router.post("/ingests/{ingest_id}/unchanged")
async def unchanged_files(ingest_id: UUID, body: LocalFiles, call: CallDep) -> UnchangedFiles:
    """Returns which of the client's files are already stored as they are, and need no upload."""
    names = {name: unicodedata.normalize("NFC", name) for name in body.files}
    hashes = {names[name]: bytes.fromhex(digest) for name, digest in body.files.items()}
    unchanged = await call.services.library.ingests.unchanged(call.caller, ingest_id, hashes)
    return UnchangedFiles(unchanged=[name for name in names if names[name] in unchanged])


@router.put(
    "/ingests/{ingest_id}/files/{name:path}",
    status_code=202,
    openapi_extra={"requestBody": {"required": True, "content": RAW}},
)
async def send_file(ingest_id: UUID, name: FileName, call: CallDep) -> FileView:
    """Uploads a file and queues it. A file with the same name replaces the earlier one."""
    ingests = call.services.library.ingests
    name = unicodedata.normalize("NFC", name)
    async with contextlib.aclosing(_parts(call.request)) as parts:
        first = await anext(parts)
        if len(first) < PART_BYTES:
            async with call.recording(AuditAction.DOCUMENTS_ADDED, ingest_id):
                queued = await ingests.add_small_file(call.caller, ingest_id, name, first)
            return FileView.in_words(queued, locale_of(call.request))
        file = await ingests.add_file(call.caller, ingest_id, name)
        try:
            await ingests.add_part(call.caller, file, 0, first)
            number = 1
            async for part in parts:
                await ingests.add_part(call.caller, file, number, part)
                number += 1
        except BaseException:
            # Also if the client disconnects. A job deletes leftovers after an hour.
            with contextlib.suppress(Unavailable):
                await asyncio.shield(ingests.abandon(call.caller, file))
            raise
    async with call.recording(AuditAction.DOCUMENTS_ADDED, ingest_id):
        queued = await ingests.enqueue(call.caller, file)
    return FileView.in_words(queued, locale_of(call.request))


async def _parts(request: Request) -> AsyncGenerator[bytes]:
    """Yields the body in parts of `PART_BYTES` and a shorter last one. Raises TooLarge."""
    buffer, size = bytearray(), 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > LARGEST_FILE_BYTES:
            raise TooLarge(f"the limit is {LARGEST_FILE_BYTES} bytes")
        buffer += chunk
        while len(buffer) >= PART_BYTES:
            yield bytes(buffer[:PART_BYTES])
            del buffer[:PART_BYTES]
    yield bytes(buffer)


@router.get("/ingests/{ingest_id}")
async def read_ingest(ingest_id: UUID, call: CallDep) -> IngestView:
    """Returns the progress of an ingest and of each file."""
    found = await call.services.library.ingests.find(call.caller, ingest_id)
    return IngestView.in_words(found, call.request)


@router.post("/ingests/{ingest_id}/cancel")
async def cancel_ingest(ingest_id: UUID, call: CallDep) -> IngestView:
    """Cancels an ingest. Files that are already stored remain."""
    cancelled = await call.services.library.ingests.cancel(call.caller, ingest_id)
    return IngestView.in_words(cancelled, call.request)
