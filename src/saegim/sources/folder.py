"""Read a folder on the server's disk, within the allowed root."""

import asyncio
import os
import unicodedata
from datetime import UTC, datetime
from pathlib import Path

from saegim.library.media_types import READABLE_NAMES
from saegim.net.errors import FetchFailed, FetchFault
from saegim.sources.types import (
    LONGEST_KEY_BYTES,
    Content,
    CrawlLimits,
    Entry,
    Item,
    NoContent,
    SourceListing,
)


class FolderReader:
    """Reads supported files; skips hidden ones and links out of the folder."""

    def __init__(self, folder: Path, limits: CrawlLimits) -> None:
        self._folder = folder
        self._limits = limits
        self._paths: dict[str, Path] = {}

    async def entries(self) -> SourceListing:
        try:
            files = await asyncio.to_thread(self._walk)
        except OSError as error:
            raise FetchFailed(FetchFault.FOLDER) from error
        limit = self._limits.items
        return SourceListing(tuple(files[:limit]), complete=len(files) <= limit)

    async def fetch(self, entry: Entry, known: Item | None) -> Content | NoContent:  # noqa: ARG002 - the listing has versions
        path = self._paths[entry.key]
        try:
            content, changed_at = await asyncio.to_thread(self._read, path)
            return Content(content, changed_at=changed_at)
        except OSError as error:
            raise FetchFailed(FetchFault.UNREACHABLE, type(error).__name__) from error

    def _walk(self) -> list[Entry]:
        entries: list[Entry] = []
        if not self._folder.is_dir():
            raise NotADirectoryError
        for path in sorted(self._folder.rglob("*")):
            relative = path.relative_to(self._folder)
            hidden = any(part.startswith(".") for part in relative.parts)
            if hidden or path.suffix.lower() not in READABLE_NAMES or not self._is_inside(path):
                continue
            key = unicodedata.normalize("NFC", relative.as_posix())
            if path.is_file() and len(key.encode()) <= LONGEST_KEY_BYTES:
                details = path.stat()
                self._paths[key] = path
                entries.append(Entry(key, f"{details.st_mtime_ns}:{details.st_size}"))
        return entries

    def _is_inside(self, path: Path) -> bool:
        return path.resolve().is_relative_to(self._folder)

    def _read(self, path: Path) -> tuple[bytes, datetime]:
        """Return the content of a file, and when it was changed."""
        if not self._is_inside(path):
            raise FetchFailed(FetchFault.FOLDER)
        with path.open("rb") as file:
            content = file.read(self._limits.bytes_each + 1)
            changed_at = datetime.fromtimestamp(os.fstat(file.fileno()).st_mtime, UTC)
        if len(content) > self._limits.bytes_each:
            raise FetchFailed(FetchFault.TOO_LARGE)
        return content, changed_at
