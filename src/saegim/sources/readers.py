"""Open the reader of a source."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from saegim.domain.errors import Invalid
from saegim.domain.ids import Clock
from saegim.net.errors import FetchFailed, FetchFault
from saegim.net.guard import GuardedTransport, Network
from saegim.sources.bucket import BucketReader
from saegim.sources.folder import FolderReader
from saegim.sources.pages import PageReader, sitemap, url_list
from saegim.sources.types import (
    LONGEST_KEY_BYTES,
    Bucket,
    Folder,
    Origin,
    Sitemap,
    Source,
    SourceReader,
    UrlList,
)
from saegim.sources.web import Web, WebTimes, check_address


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
