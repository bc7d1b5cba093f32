"""Imports of memories are jobs: bounded, resumable, sealed while they wait."""

from typing import Any
from uuid import UUID

import pytest

from saegim.memory.imports import AT_ONCE, MOST_RECORDS
from tests.stack import Stack

ROWS = b"select import_id, body, done, total from memory_import"


def body_of(count: int) -> dict[str, Any]:
    told = {"type": "fact", "importance": 0.5, "said_at": "2026-01-01T00:00:00Z"}
    memories = [told | {"content": f"사실 {n}번"} for n in range(count)]
    return {"format": "saegim-memory/1", "memories": memories}


async def send(stack: Stack, body: dict[str, Any]) -> Any:
    return await stack.http.post("/v1/memories/import", json=body, headers=stack.headers())


async def rows(stack: Stack) -> list[dict[str, Any]]:
    tenant = stack.tenant.tenant.id
    async with stack.services.db.cells.home.transaction(tenant) as connection:
        return await (await connection.execute(ROWS)).fetchall()


@pytest.mark.requirement("LM9")
async def test_an_import_tells_its_progress_and_leaves_no_content(stack: Stack) -> None:
    tenant = stack.tenant.tenant.id
    begun = await send(stack, body_of(AT_ONCE + 5))
    again = await send(stack, body_of(AT_ONCE + 5))
    assert begun.status_code == 202
    assert begun.json() == again.json(), "the same import while it waits"
    assert (begun.json()["state"], begun.json()["total"]) == ("waiting", AT_ONCE + 5)
    [row] = await rows(stack)
    assert "사실".encode() not in bytes(row["body"]), "sealed"
    identifier = begun.json()["import_id"]
    assert await stack.services.memory.imports.run(tenant, UUID(identifier)) == AT_ONCE + 5
    assert await stack.services.memory.imports.run(tenant, UUID(identifier)) == 0
    path = f"/v1/memories/imports/{identifier}"
    read = await stack.http.get(path, headers=stack.headers())
    assert (read.json()["state"], read.json()["done"]) == ("done", AT_ONCE + 5)
    assert [each["body"] for each in await rows(stack)] == [None]
    other = await stack.http.get(path, headers=stack.headers("bob"))
    assert other.status_code == 404
    listed = await stack.http.get("/v1/memories?count=200", headers=stack.headers())
    assert len(listed.json()["memories"]) == AT_ONCE + 5


async def test_an_import_that_stopped_goes_on_after_its_last_batch(stack: Stack) -> None:
    tenant = stack.tenant.tenant.id
    identifier = UUID((await send(stack, body_of(AT_ONCE + 5))).json()["import_id"])
    await stack.services.memory.imports._store.advance(tenant, identifier, AT_ONCE)
    assert await stack.services.memory.imports.run(tenant, identifier) == 5
    listed = await stack.http.get("/v1/memories", headers=stack.headers())
    assert len(listed.json()["memories"]) == 5


async def test_more_than_a_request_may_have_is_refused(stack: Stack) -> None:
    refused = await send(stack, body_of(MOST_RECORDS + 1))
    assert refused.status_code == 422
    assert await rows(stack) == []
