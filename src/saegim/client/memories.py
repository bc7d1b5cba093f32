"""Calls for the memory of a user."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from functools import partial
from typing import Any
from uuid import UUID

import httpx2

from saegim.client.calls import matching, parse, parse_list, parse_pages
from saegim.client.memory_types import (
    AuditEvent,
    DerivedMemory,
    Memory,
    MemoryAnswer,
    MemoryExport,
    MemoryImport,
    MemoryVersion,
    Month,
    Recollection,
    TeamMemory,
)

BATCH = 500
BATCH_BYTES = 800_000
IMPORT_POLL_SECONDS = 0.5


Call = Callable[..., Awaitable[httpx2.Response]]


class Memories:
    """Calls for memory records."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def browse(
        self,
        words: str = "",
        *,
        from_year: int | None = None,
        to_year: int | None = None,
        types: Sequence[str] = (),
        forgotten: bool = False,
    ) -> AsyncIterator[Memory]:
        """Yield the records that match, newest first."""
        filters = {
            "q": words or None,
            "from_year": from_year,
            "to_year": to_year,
            "type": list(types) or None,
            "state": "forgotten" if forgotten else None,
        }
        params = {name: value for name, value in filters.items() if value is not None}
        get = partial(self._call, "GET", "/v1/memories")
        return parse_pages(Memory, "memories", get, **params)

    async def get(self, memory: UUID) -> Memory:
        return _memory(await self._call("GET", f"/v1/memories/{memory}"))

    async def add(self, content: str, type: str = "note", topic: str = "") -> Memory:  # noqa: A002 - the API's word
        body = {"content": content, "type": type, "topic": topic}
        return _memory(await self._call("POST", "/v1/memories", body))

    async def correct(
        self, memory: UUID, *, if_match: str | None = None, **changes: object
    ) -> Memory:
        """Change a record; other fields stay. Raises VersionConflict if it does not have the ETag
        `if_match`, the `etag` of the record that was read, any more."""
        path, headers = f"/v1/memories/{memory}", matching(if_match)
        return _memory(await self._call("PATCH", path, changes, headers=headers))

    async def pin(self, memory: UUID, pinned: bool = True) -> Memory:
        """Pin a record, so that it is in every context, or unpin it."""
        return _memory(await self._call("PUT", f"/v1/memories/{memory}/pin", {"pinned": pinned}))

    async def confirm(self, memory: UUID) -> Memory:
        """Say that an unsure record still holds."""
        return _memory(await self._call("POST", f"/v1/memories/{memory}/confirm"))

    async def retain(self, memory: UUID, label: str | None) -> Memory:
        """Set the retention label of a record; None removes it."""
        path = f"/v1/memories/{memory}/retention"
        return _memory(await self._call("PUT", path, {"label": label}))

    async def sources(self, digest: UUID) -> list[Memory]:
        """Return the records behind a digest, oldest first."""
        return await parse_list(Memory, self._call("GET", f"/v1/memories/{digest}/sources"))

    async def consolidate(self) -> int:
        """Consolidate old records into digests now, and return how many were created."""
        return (await self._call("POST", "/v1/memories/consolidate")).json()["digests"]

    async def forget(self, memory: UUID) -> None:
        """Forget a record; `undo` restores it for a limited time."""
        await self._call("DELETE", f"/v1/memories/{memory}")

    async def undo(self, memory: UUID) -> Memory:
        """Restore a forgotten record."""
        return _memory(await self._call("POST", f"/v1/memories/{memory}/undo"))

    async def versions(self, memory: UUID) -> list[MemoryVersion]:
        """Return the versions of a record, newest first."""
        return await parse_list(MemoryVersion, self._call("GET", f"/v1/memories/{memory}/versions"))

    async def roll_back(self, memory: UUID, version: int, *, if_match: str | None = None) -> Memory:
        """Roll back to an earlier version. Raises VersionConflict like `correct`."""
        path, body = f"/v1/memories/{memory}/rollback", {"version": version}
        return _memory(await self._call("POST", path, body, headers=matching(if_match)))

    async def trail(self, memory: UUID) -> list[AuditEvent]:
        """Return the audit events of a record, newest first."""
        return await parse_list(AuditEvent, self._call("GET", f"/v1/memories/{memory}/trail"))

    async def timeline(self) -> list[Month]:
        """Return the number of records by month, newest first."""
        return await parse_list(Month, self._call("GET", "/v1/memories/timeline"))

    async def export(self) -> MemoryExport:
        """Export all records."""
        return await parse(MemoryExport, self._call("GET", "/v1/memories/export"))

    async def take_in(self, exported: MemoryExport) -> int:
        """Import an export, wait until it is done and return the number of records."""
        for batch in _batches(exported.memories):
            job = await self.begin_import(exported.model_copy(update={"memories": batch}))
            while job.state != "done":
                await asyncio.sleep(IMPORT_POLL_SECONDS)
                job = await self.read_import(job.import_id)
        return len(exported.memories)

    async def begin_import(self, exported: MemoryExport) -> MemoryImport:
        """Queue the import of at most 1,000 memories."""
        body = exported.model_dump(mode="json")
        return await parse(MemoryImport, self._call("POST", "/v1/memories/import", body))

    async def read_import(self, import_id: UUID) -> MemoryImport:
        """Return the state of an import."""
        return await parse(MemoryImport, self._call("GET", f"/v1/memories/imports/{import_id}"))

    async def ask(self, question: str) -> MemoryAnswer:
        """Answer a question about the user from their memory, with citations."""
        body = {"question": question}
        return await parse(MemoryAnswer, self._call("POST", "/v1/memory/ask", body))

    def team(self, words: str = "") -> AsyncIterator[TeamMemory]:
        """Yield the shared records that the caller may see and that have all words."""
        get = partial(self._call, "GET", "/v1/team-memory")
        return parse_pages(TeamMemory, "team_memories", get, **({"q": words} if words else {}))

    async def share(self, memory: UUID, collection: UUID | None = None) -> TeamMemory:
        """Share a record with the readers of a collection, or of the first that is readable."""
        body = {"memory_id": str(memory)}
        if collection is not None:
            body["collection_id"] = str(collection)
        return await parse(TeamMemory, self._call("POST", "/v1/team-memory", json=body))

    async def derived(self, *kinds: str) -> list[DerivedMemory]:
        """Return what follows from the records: observations, the profile and entity pages."""
        params = {"kind": list(kinds)} if kinds else {}
        response = await self._call("GET", "/v1/memory/derived", params=params)
        return [DerivedMemory.model_validate(each) for each in response.json()["derived"]]

    async def undo_derived(self, derived: UUID) -> DerivedMemory:
        """Take back a conclusion until its sources change; the records stay."""
        path = f"/v1/memory/derived/{derived}/undo"
        return await parse(DerivedMemory, self._call("POST", path))

    async def restore_derived(self, derived: UUID) -> DerivedMemory:
        """Restore a conclusion that was taken back."""
        path = f"/v1/memory/derived/{derived}/restore"
        return await parse(DerivedMemory, self._call("POST", path))

    async def recall(self, message: str, **filters: object) -> Recollection:
        """Recall memories for a message, with the reasons."""
        return await parse(
            Recollection, self._call("POST", "/v1/recall", {"message": message, **filters})
        )


def _batches(memories: Sequence[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], ...]]:
    """Split the memories by the limits of a request."""
    batch: list[dict[str, Any]] = []
    total = 0
    for memory in memories:
        size = len(json.dumps(memory).encode())
        if batch and (len(batch) == BATCH or total + size > BATCH_BYTES):
            yield tuple(batch)
            batch, total = [], 0
        batch.append(memory)
        total += size
    if batch:
        yield tuple(batch)


def _memory(response: httpx2.Response) -> Memory:
    memory = Memory.model_validate_json(response.text)
    return memory.model_copy(update={"etag": response.headers.get("ETag")})
