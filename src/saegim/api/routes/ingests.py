"""Documents in: open an ingest, send its files, watch them come in."""

import asyncio
import contextlib
import unicodedata
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field

from saegim.api.caller import CallerDep, ServicesDep
from saegim.app.container import Services
from saegim.audit.types import AuditAction
from saegim.domain.errors import TooLarge, Unavailable
from saegim.domain.scope import Caller
from saegim.library.types import FileState, Ingest, IngestFile

RAW = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
router = APIRouter(prefix="/v1", tags=["library"])

PART_BYTES = 1 << 20
LARGEST_FILE_BYTES = 200 << 20

FileName = Annotated[str, Path(min_length=1, max_length=500)]


class NewIngest(BaseModel, extra="forbid"):
    """Where files are to go, and what kind of document they are unless they say so themselves."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"collection": "default"}]})

    collection: Annotated[str, Field(max_length=200)] = "default"
    type: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")] = "guide"
    own: Annotated[bool, Field(description="For the caller alone, in no collection of others.")] = (
        False
    )


class FileView(BaseModel):
    """How far a file is: `stored` of `passages` are in, `embedded` of them were new."""

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


class IngestView(BaseModel):
    """An ingest with its files; `over` when none of them is still on its way."""

    ingest_id: UUID
    over: bool
    cancelled: bool
    files: list[FileView]


@router.post("/ingests", status_code=201)
async def open_ingest(body: NewIngest, services: ServicesDep, caller: CallerDep) -> IngestView:
    """Opens an ingest into a collection of the tenant's, or into the caller's own."""
    if body.own:
        return ingest_view(await services.library.ingests.open_own(caller, body.type))
    return ingest_view(await services.library.ingests.open(caller, body.collection, body.type))


@router.put(
    "/ingests/{ingest_id}/files/{name:path}",
    status_code=202,
    openapi_extra={"requestBody": {"required": True, "content": RAW}},
)
async def send_file(
    ingest_id: UUID, name: FileName, request: Request, services: ServicesDep, caller: CallerDep
) -> FileView:
    """Takes a file's bytes and queues it; the same name again replaces the first."""
    file = await services.library.ingests.add_file(
        caller, ingest_id, unicodedata.normalize("NFC", name)
    )
    try:
        await _receive(request, services, caller, file)
    except BaseException:
        # Also when the client hangs up; what this misses is swept after an hour.
        with contextlib.suppress(Unavailable):
            await asyncio.shield(services.library.ingests.abandon(caller, file))
        raise
    async with services.audit.trail.recording(caller, AuditAction.DOCUMENTS_ADDED, ingest_id):
        return file_view(await services.library.ingests.enqueue(caller, file))


async def _receive(request: Request, services: Services, caller: Caller, file: UUID) -> None:
    """Stores the body in parts. Raises TooLarge."""
    part, buffer, size = 0, bytearray(), 0
    async for piece in request.stream():
        size += len(piece)
        if size > LARGEST_FILE_BYTES:
            raise TooLarge(f"a file may have {LARGEST_FILE_BYTES} bytes")
        buffer += piece
        while len(buffer) >= PART_BYTES:
            await services.library.ingests.add_part(caller, file, part, bytes(buffer[:PART_BYTES]))
            del buffer[:PART_BYTES]
            part += 1
    await services.library.ingests.add_part(caller, file, part, bytes(buffer))


@router.get("/ingests/{ingest_id}")
async def read_ingest(ingest_id: UUID, services: ServicesDep, caller: CallerDep) -> IngestView:
    """How far an ingest is, file by file."""
    return ingest_view(await services.library.ingests.find(caller, ingest_id))


@router.post("/ingests/{ingest_id}/cancel")
async def cancel_ingest(ingest_id: UUID, services: ServicesDep, caller: CallerDep) -> IngestView:
    """Stops an ingest; what is stored stays."""
    return ingest_view(await services.library.ingests.cancel(caller, ingest_id))


def ingest_view(ingest: Ingest) -> IngestView:
    return IngestView(
        ingest_id=ingest.id,
        over=ingest.over,
        cancelled=ingest.cancelled,
        files=[file_view(file) for file in ingest.files],
    )


def file_view(file: IngestFile) -> FileView:
    return FileView(
        file_id=file.id,
        name=file.name,
        size=file.size,
        state=file.state,
        documents=file.documents,
        passages=file.passages,
        stored=file.stored,
        embedded=file.embedded,
        removed=file.removed,
        error=file.error,
    )
