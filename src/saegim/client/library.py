"""Calls for documents, sources and search."""

from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Any
from urllib.parse import quote
from uuid import UUID

from saegim.client.calls import Calls, parse, parse_list, parse_pages
from saegim.client.library_types import (
    Ingest,
    IngestedFile,
    ListedDocument,
    Lookup,
    Passage,
    SearchResult,
    Source,
    Sources,
    UnchangedFiles,
)


def encoded(name: str) -> str:
    """Percent-encode a name for a header or a path."""
    return quote(name, safe="")


class LibraryCalls(Calls):
    """Calls for documents, sources and search."""

    async def open_ingest(self, collection: str = "default", type: str = "guide") -> Ingest:  # noqa: A002 - the API's word
        """Open an ingest, to send files to."""
        body = {"collection": collection, "type": type}
        return await parse(Ingest, self._call("POST", "/v1/ingests", json=body))

    async def unchanged_files(self, ingest: UUID, files: Mapping[str, str]) -> set[str]:
        """Return the names of files, given with their SHA-256, that need no upload; at most
        1,000 at once."""
        path = f"/v1/ingests/{ingest}/unchanged"
        body = {"files": dict(files)}
        return set((await parse(UnchangedFiles, self._call("POST", path, json=body))).unchanged)

    async def send_file(self, ingest: UUID, name: str, content: bytes) -> IngestedFile:
        """Send a file; a second one with the same name replaces it."""
        path = f"/v1/ingests/{ingest}/files/{encoded(name)}"
        return await parse(IngestedFile, self._call("PUT", path, content=content))

    async def ingest(self, ingest: UUID) -> Ingest:
        """Return the state of an ingest and of its files."""
        return await parse(Ingest, self._call("GET", f"/v1/ingests/{ingest}"))

    async def add_source(self, source: Mapping[str, Any]) -> Source:
        """Add a source: its `kind` is urls, sitemap or s3, with the fields of that kind."""
        return await parse(Source, self._call("POST", "/v1/sources", json=source))

    async def sources(self) -> list[Source]:
        """Return the sources of the tenant."""
        return (await parse(Sources, self._call("GET", "/v1/sources"))).sources

    async def source(self, source: UUID) -> Source:
        """Return a source with its failed items."""
        return await parse(Source, self._call("GET", f"/v1/sources/{source}"))

    async def sync_source(self, source: UUID) -> Source:
        """Sync a source now."""
        return await parse(Source, self._call("POST", f"/v1/sources/{source}/sync"))

    async def remove_source(self, source: UUID) -> None:
        """Delete a source and its documents."""
        await self._call("DELETE", f"/v1/sources/{source}")

    def documents(self, words: str = "", **filters: object) -> AsyncIterator[ListedDocument]:
        """Yield the documents that the user may read, newest first, by words in the title.

        `filters` are parameters of `GET /v1/documents`, such as `only="stale"`."""
        get = partial(self._call, "GET", "/v1/documents")
        return parse_pages(ListedDocument, "documents", get, q=words, **filters)

    async def remove_document(self, document: str) -> None:
        """Delete a document and its passages."""
        await self._call("DELETE", f"/v1/documents/{encoded(document)}")

    async def lookup(self, document: str) -> Lookup:
        """Return a document by its ID in any spelling, with its passages."""
        path = f"/v1/documents/{encoded(document)}"
        return await parse(Lookup, self._call("GET", path))

    async def original(self, document: UUID) -> bytes:
        """Return the file that a document was made of, by the `id` of the document."""
        return (await self._call("GET", f"/v1/documents/{document}/original")).content

    async def section(self, passage: UUID) -> list[Passage]:
        """Return the passages of the section around a passage, in order."""
        return await parse_list(Passage, self._call("GET", f"/v1/passages/{passage}/section"))

    async def search(self, query: str, **filters: object) -> SearchResult:
        """Return the passages that the user may read, best first."""
        return await parse(
            SearchResult, self._call("POST", "/v1/search", json={"query": query, **filters})
        )
