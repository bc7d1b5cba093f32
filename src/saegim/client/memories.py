"""The memory of the user that a client speaks for."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, Protocol
from uuid import UUID

import httpx2

from saegim.client.calls import matching
from saegim.client.memory_types import (
    AuditEvent,
    Memory,
    MemoryExport,
    MemoryImport,
    MemoryPage,
    MemoryVersion,
    Month,
    Recollection,
)

IMPORTED_AT_ONCE = 500
IMPORTED_BYTES = 800_000
IMPORT_POLL_SECONDS = 0.5


class Call(Protocol):
    """Sends a request until it is answered."""

    async def __call__(
        self,
        method: str,
        path: str,
        json: Mapping[str, Any] | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, Any] | None = None,
    ) -> httpx2.Response: ...


class Memories:
    """What is remembered: read, corrected, pinned, forgotten, taken along."""

    def __init__(self, call: Call) -> None:
        self._call = call

    async def browse(
        self,
        words: str = "",
        *,
        from_year: int | None = None,
        to_year: int | None = None,
        types: Sequence[str] = (),
        forgotten: bool = False,
    ) -> AsyncIterator[Memory]:
        """Every record that matches, newest first."""
        asked = {
            "words": words or None,
            "from_year": from_year,
            "to_year": to_year,
            "type": list(types) or None,
            "forgotten": forgotten or None,
        }
        before: UUID | None = None
        while True:
            params = {name: value for name, value in asked.items() if value is not None}
            if before is not None:
                params["before"] = str(before)
            response = await self._call("GET", "/v1/memories", params=params)
            page = MemoryPage.model_validate_json(response.text)
            for memory in page.memories:
                yield memory
            before = page.next_before
            if before is None:
                return

    async def get(self, memory: UUID) -> Memory:
        """One record."""
        return _memory(await self._call("GET", f"/v1/memories/{memory}"))

    async def add(self, content: str, type: str = "note", topic: str = "") -> Memory:  # noqa: A002 - the API's word
        """Writes something down to be remembered."""
        body = {"content": content, "type": type, "topic": topic}
        return _memory(await self._call("POST", "/v1/memories", body))

    async def correct(
        self, memory: UUID, *, if_match: str | None = None, **changes: object
    ) -> Memory:
        """Corrects a record; what is not named stays. Raises Changed where it is not the one of
        `if_match` any more, which is the `etag` of the record that was read."""
        headers = matching(if_match)
        response = await self._call("PATCH", f"/v1/memories/{memory}", changes, headers=headers)
        return _memory(response)

    async def pin(self, memory: UUID, pinned: bool = True) -> Memory:
        """Puts a record into every context, or no longer."""
        return _memory(await self._call("PUT", f"/v1/memories/{memory}/pin", {"pinned": pinned}))

    async def retain(self, memory: UUID, label: str | None) -> Memory:
        """Sets a record's retention label; None takes it away."""
        return _memory(
            await self._call("PUT", f"/v1/memories/{memory}/retention", {"label": label})
        )

    async def sources(self, digest: UUID) -> list[Memory]:
        """The records that a digest tells, oldest first."""
        response = await self._call("GET", f"/v1/memories/{digest}/sources")
        return [Memory.model_validate(each) for each in response.json()]

    async def consolidate(self) -> int:
        """Makes digests of old records now; how many."""
        return (await self._call("POST", "/v1/memories/consolidate")).json()["digests"]

    async def forget(self, memory: UUID) -> None:
        """Forgets a record; `undo` brings it back for a while."""
        await self._call("DELETE", f"/v1/memories/{memory}")

    async def undo(self, memory: UUID) -> Memory:
        """Brings a forgotten record back."""
        return _memory(await self._call("POST", f"/v1/memories/{memory}/undo"))

    async def versions(self, memory: UUID) -> list[MemoryVersion]:
        """All versions of a record, newest first."""
        response = await self._call("GET", f"/v1/memories/{memory}/versions")
        return [MemoryVersion.model_validate(each) for each in response.json()]

    async def roll_back(self, memory: UUID, version: int, *, if_match: str | None = None) -> Memory:
        """Makes an earlier version the newest one. Raises Changed like `correct`."""
        path, body = f"/v1/memories/{memory}/rollback", {"version": version}
        return _memory(await self._call("POST", path, body, headers=matching(if_match)))

    async def trail(self, memory: UUID) -> list[AuditEvent]:
        """Who did what to a record, newest first."""
        response = await self._call("GET", f"/v1/memories/{memory}/trail")
        return [AuditEvent.model_validate(each) for each in response.json()]

    async def timeline(self) -> list[Month]:
        """How many records each month has, newest first."""
        response = await self._call("GET", "/v1/memories/timeline")
        return [Month.model_validate(each) for each in response.json()]

    async def export(self) -> MemoryExport:
        """Everything, to take along."""
        response = await self._call("GET", "/v1/memories/export")
        return MemoryExport.model_validate_json(response.text)

    async def take_in(self, exported: MemoryExport) -> int:
        """Imports what was exported and waits until it is remembered; tells how many records."""
        for part in _parts(exported.memories):
            begun = await self.begin_import(exported.model_copy(update={"memories": part}))
            while begun.state != "done":
                await asyncio.sleep(IMPORT_POLL_SECONDS)
                begun = await self.read_import(begun.import_id)
        return len(exported.memories)

    async def begin_import(self, exported: MemoryExport) -> MemoryImport:
        """Queues at most a thousand memories for import."""
        body = exported.model_dump(mode="json")
        response = await self._call("POST", "/v1/memories/import", body)
        return MemoryImport.model_validate_json(response.text)

    async def read_import(self, import_id: UUID) -> MemoryImport:
        """How far an import is."""
        response = await self._call("GET", f"/v1/memories/imports/{import_id}")
        return MemoryImport.model_validate_json(response.text)

    async def recall(self, message: str, **narrowed: object) -> Recollection:
        """What memory has to a message, and why."""
        response = await self._call("POST", "/v1/recall", {"message": message, **narrowed})
        return Recollection.model_validate_json(response.text)


def _parts(memories: Sequence[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], ...]]:
    """The memories in pieces that one request takes."""
    part: list[dict[str, Any]] = []
    size = 0
    for memory in memories:
        bytes_of = len(json.dumps(memory).encode())
        if part and (len(part) == IMPORTED_AT_ONCE or size + bytes_of > IMPORTED_BYTES):
            yield tuple(part)
            part, size = [], 0
        part.append(memory)
        size += bytes_of
    if part:
        yield tuple(part)


def _memory(response: httpx2.Response) -> Memory:
    memory = Memory.model_validate_json(response.text)
    return memory.model_copy(update={"etag": response.headers.get("ETag")})
