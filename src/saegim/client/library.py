"""Documents in and out, as the client calls for them."""

from collections.abc import AsyncIterator, Mapping
from typing import Any
from urllib.parse import quote
from uuid import UUID

from pydantic import TypeAdapter

from saegim.client.calls import Calls
from saegim.client.library_types import (
    DocumentPage,
    Ingest,
    IngestedFile,
    ListedDocument,
    Lookup,
    Passage,
    SearchResult,
    Source,
    Sources,
)

PASSAGES = TypeAdapter(list[Passage])


def encoded(name: str) -> str:
    """Headers carry Latin-1 only and paths have their own marks: names travel percent-encoded."""
    return quote(name, safe="")


class LibraryCalls(Calls):
    """The part of the client that is about documents."""

    async def open_ingest(self, collection: str = "default", type: str = "guide") -> Ingest:  # noqa: A002 - the API's word
        """An ingest that files can be sent to."""
        body = {"collection": collection, "type": type}
        response = await self._call("POST", "/v1/ingests", json=body)
        return Ingest.model_validate_json(response.text)

    async def send_file(self, ingest: UUID, name: str, content: bytes) -> IngestedFile:
        """Sends a file; sent again under its name, it replaces the first."""
        path = f"/v1/ingests/{ingest}/files/{encoded(name)}"
        response = await self._call("PUT", path, content=content)
        return IngestedFile.model_validate_json(response.text)

    async def ingest(self, ingest: UUID) -> Ingest:
        """How far an ingest is, file by file."""
        return Ingest.model_validate_json((await self._call("GET", f"/v1/ingests/{ingest}")).text)

    async def add_source(self, source: Mapping[str, Any]) -> Source:
        """A source that is kept in sync: `kind` urls, sitemap or s3, and what that kind takes."""
        return Source.model_validate_json(
            (await self._call("POST", "/v1/sources", json=source)).text
        )

    async def sources(self) -> list[Source]:
        """Every source of the tenant."""
        response = await self._call("GET", "/v1/sources")
        return Sources.model_validate_json(response.text).sources

    async def source(self, source: UUID) -> Source:
        """A source, with items that did not come in."""
        return Source.model_validate_json((await self._call("GET", f"/v1/sources/{source}")).text)

    async def sync_source(self, source: UUID) -> Source:
        """Asks for a look at a source now."""
        response = await self._call("POST", f"/v1/sources/{source}/sync")
        return Source.model_validate_json(response.text)

    async def remove_source(self, source: UUID) -> None:
        """Removes a source, and all that it brought in."""
        await self._call("DELETE", f"/v1/sources/{source}")

    async def documents(self, words: str = "") -> AsyncIterator[ListedDocument]:
        """The documents that we may read, the newest first; those whose title has the words."""
        params = {"words": words}
        while True:
            response = await self._call("GET", "/v1/documents", params=params)
            page = DocumentPage.model_validate_json(response.text)
            for document in page.documents:
                yield document
            if page.next_before is None:
                return
            params["before"] = str(page.next_before)

    async def remove_document(self, document: str) -> None:
        """Removes a document and all its passages."""
        await self._call("DELETE", f"/v1/documents/{encoded(document)}")

    async def lookup(self, document: str) -> Lookup:
        """A document that we may read, by its id in any spelling, with its passages."""
        path = f"/v1/documents/{encoded(document)}"
        return Lookup.model_validate_json((await self._call("GET", path)).text)

    async def section(self, passage: UUID) -> list[Passage]:
        """The whole section around a passage, in order."""
        response = await self._call("GET", f"/v1/passages/{passage}/section")
        return PASSAGES.validate_json(response.text)

    async def search(self, query: str, **filters: object) -> SearchResult:
        """Passages that we may read, best first."""
        response = await self._call("POST", "/v1/search", json={"query": query, **filters})
        return SearchResult.model_validate_json(response.text)
