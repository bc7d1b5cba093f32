"""Open the reader of a source."""

import asyncio
import os
import unicodedata
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from saegim.domain.errors import Invalid
from saegim.domain.ids import Clock
from saegim.library.media_types import READABLE_NAMES
from saegim.net.errors import FetchFailed, FetchFault
from saegim.net.guard import GuardedTransport, Network
from saegim.sources.bucket import BucketReader
from saegim.sources.pages import PageReader, sitemap, url_list
from saegim.sources.types import (
    LONGEST_KEY_BYTES,
    Bucket,
    Content,
    CrawlLimits,
    Entry,
    Folder,
    Item,
    NoContent,
    Origin,
    Sitemap,
    Source,
    SourceListing,
    SourceReader,
    UrlList,
)
from saegim.sources.web import Web, WebTimes, check_address


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


class Readers:
    """`root` contains the folders that may be sources; without it none may."""

    def __init__(
        self,
        root: Path | None,
        private: Sequence[Network],
        clock: Clock,
        times: WebTimes | None = None,
    ) -> None:
        self._root = None if root is None else root.expanduser().resolve()
        self._private = tuple(private)
        self._clock = clock
        self._times = times

    def check(self, origin: Origin) -> None:
        """Raise Invalid for an origin that can never be read."""
        try:
            match origin:
                case Folder():
                    self._folder(origin)
                case UrlList():
                    for url in origin.urls:
                        check_address(url)
                    if any(len(url.encode()) > LONGEST_KEY_BYTES for url in origin.urls):
                        raise FetchFailed(FetchFault.WRONG_ADDRESS)
                case Sitemap():
                    check_address(origin.url)
                case Bucket():
                    check_address(origin.endpoint)
        except FetchFailed as fault:
            raise Invalid(str(fault)) from fault

    @asynccontextmanager
    async def open(self, source: Source) -> AsyncGenerator[SourceReader]:
        """Open a reader for one sync."""
        origin, limits = source.origin, source.limits
        if isinstance(origin, Folder):
            yield FolderReader(self._folder(origin), limits)
            return
        async with Web(GuardedTransport(self._private), limits, self._times) as web:
            match origin:
                case UrlList():
                    yield PageReader(web, url_list(origin, limits))
                case Sitemap():
                    yield PageReader(web, sitemap(origin, web, limits))
                case Bucket():
                    yield BucketReader(web, origin, limits, self._clock)

    def _folder(self, origin: Folder) -> Path:
        """Return the resolved folder. Raises FetchFailed outside the root."""
        folder = Path(origin.path).expanduser()
        if self._root is None or not folder.is_absolute():
            raise FetchFailed(FetchFault.FOLDER)
        if not (resolved := folder.resolve()).is_relative_to(self._root):
            raise FetchFailed(FetchFault.FOLDER)
        return resolved
