"""Originals: the files that documents were made of, kept in parts to be downloaded."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit
from uuid import UUID

from saegim.db.cells import Cells, Row, execute, fetch_all
from saegim.domain.errors import NotFound
from saegim.domain.ids import Clock, new_id
from saegim.domain.scope import Caller
from saegim.encryption.cipher import Cipher, FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.library.media_types import SUFFIXES, media_type_of
from saegim.library.repository import PostgresLibrary, drop_unused_originals
from saegim.library.types import Ingest, IngestFile, entry_name

PART_BYTES = 256 << 10
# Longer than any job takes to store an original and to name it in its documents.
UNUSED_FOR = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Original:
    """A kept file. `owner` is the member whose key encrypts it, if its documents are private."""

    id: UUID
    tenant: UUID
    name: str
    media_type: str
    size: int
    owner: UUID | None


class Originals:
    def __init__(
        self,
        cells: Cells,
        documents: PostgresLibrary,
        keyring: Keyring,
        clock: Clock,
        largest: int,
    ) -> None:
        """`largest` is the size of the largest file that is kept, in bytes; 0 keeps none."""
        self._cells = cells
        self._documents = documents
        self._keyring = keyring
        self._clock = clock
        self._largest = largest

    async def keep(self, ingest: Ingest, file: IngestFile, digest: bytes) -> None:
        """Keep a file whose documents are stored; without it, they have no original any more.

        Keeping the same file again changes nothing."""
        original = None
        if file.size <= self._largest and file.name != entry_name(ingest):
            find = {"collection": ingest.collection, "digest": digest}
            known = await self._cells.read_one(ingest.tenant, "find_original", **find)
            original = known["original_id"] if known else await self._copy(ingest, file, digest)
            if original is None:
                return
        async with self._cells.transaction(ingest.tenant) as connection:
            values = {"tenant": ingest.tenant, "collection": ingest.collection}
            values |= {"digest": digest, "original": original}
            linked = await fetch_all(connection, "link_original", **values)
            if original is not None:
                await execute(
                    connection, "complete_original", tenant=ingest.tenant, original=original
                )
            replaced = [row["previous"] for row in linked]
            await drop_unused_originals(connection, ingest.tenant, replaced)

    async def _copy(self, ingest: Ingest, file: IngestFile, digest: bytes) -> UUID | None:
        """Copy the parts of an uploaded file; None if it is being uploaded again."""
        tenant, now = ingest.tenant, self._clock.now()
        owner = (await self._documents.access_to(tenant, ingest.collection)).owner
        original = new_id(now)
        async with self._cells.transaction(tenant) as connection:
            await execute(
                connection,
                "add_original",
                tenant=tenant,
                original=original,
                collection=ingest.collection,
                digest=digest,
                name=file_name(file),
                media_type=media_type_of(file.name, file.media_type),
                size=file.size,
                owner=owner,
                now=now,
            )
        cipher = None if owner is None else await self._keyring.user(tenant, owner)
        copied, part, number = 0, 0, 0
        while copied < file.size:
            find = {"file": file.id, "part": part}
            row = await self._cells.read_one(tenant, "read_file_part", **find)
            if row is None:
                return None
            await self._add_parts(tenant, original, number, row["content"], cipher)
            number += -(-len(row["content"]) // PART_BYTES)
            copied, part = copied + len(row["content"]), part + 1
        return original

    async def _add_parts(
        self, tenant: UUID, original: UUID, number: int, content: bytes, cipher: Cipher | None
    ) -> None:
        async with self._cells.transaction(tenant) as connection:
            for offset, start in enumerate(range(0, len(content), PART_BYTES)):
                piece = content[start : start + PART_BYTES]
                if cipher is not None:
                    piece = cipher.seal_bytes(piece, _location(original))
                values = {"original": original, "part": number + offset, "content": piece}
                await execute(connection, "add_original_part", tenant=tenant, **values)

    async def find(self, caller: Caller, document: UUID) -> Original:
        """Return the original of a document. Raises NotFound also without access."""
        tenant = caller.scope.tenant
        collections = await self._documents.readable_collections(caller)
        find = {"document": document, "collections": list(collections)}
        row = await self._cells.read_one(tenant, "original_of_document", **find)
        if row is None:
            raise NotFound("original")
        return _original(tenant, row)

    async def read(self, original: Original) -> AsyncIterator[bytes]:
        """Yield the content part by part; it is never in memory as a whole."""
        owner, tenant, left, part = original.owner, original.tenant, original.size, 0
        cipher = None if owner is None else await self._keyring.user(tenant, owner)
        while left > 0:
            find = {"original": original.id, "part": part}
            row = await self._cells.read_one(tenant, "read_original_part", **find)
            if row is None:  # it was removed or replaced meanwhile
                raise NotFound("original")
            content: bytes = row["content"]
            if cipher is not None:
                content = cipher.open_bytes(content, _location(original.id))
            yield content
            left, part = left - len(content), part + 1

    async def remove_unused(self, tenant: UUID, most: int) -> int:
        """Delete originals that no document has, left by a job that died; return how many."""
        before = self._clock.now() - UNUSED_FOR
        return await self._cells.run_query(tenant, "drop_stray_originals", before=before, most=most)


def file_name(file: IngestFile) -> str:
    """Return the name of a file to save: of an address or a path, its last part."""
    parts = urlsplit(file.name)
    is_address = parts.scheme in ("http", "https") and parts.hostname
    path = unquote(parts.path) if is_address else file.name
    name = PurePosixPath(path).name or (parts.hostname if is_address else None) or "document"
    suffix = SUFFIXES.get(file.media_type or "", "")
    return name if name.lower().endswith(suffix) else name + suffix


def _location(original: UUID) -> FieldLocation:
    return FieldLocation("original_part.content", original)


def _original(tenant: UUID, row: Row) -> Original:
    return Original(
        id=row["original_id"],
        tenant=tenant,
        name=row["name"],
        media_type=row["media_type"],
        size=row["size"],
        owner=row["owner_id"],
    )
