"""`saegim memory` looks after records, and an agent recalls the digest that it makes."""

import asyncio
import json
from typing import Any

import httpx2
from typer.testing import CliRunner

from saegim.app.infrastructure import Fakes
from saegim.cli.main import app
from tests.integration.mcp.test_mcp import called, connected
from tests.integration.memory.turns import Hands
from tests.stack import Databases, Stack, new_stack, served

TRIPS = ("제주도에 다녀왔다", "강릉에 다녀왔다", "부산에 다녀왔다", "속초에 다녀왔다")


async def memory(stack: Stack, http: httpx2.AsyncClient, *arguments: str) -> Any:
    """Returns the report of a `saegim memory` command."""
    options = ["--json", "--url", str(http.base_url), "--user", "alice"]
    environment = {"SAEGIM_KEY": stack.tenant.key, "SAEGIM_POSTGRES_URL": "set"}
    result = await asyncio.to_thread(
        CliRunner().invoke, app, ["memory", *arguments, *options], env=environment
    )
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


async def test_commands_make_a_digest_list_its_sources_and_label_records(
    databases: Databases,
) -> None:
    clock = Hands()
    async with new_stack(databases, Fakes(clock=clock)) as stack:
        async with served(stack.services) as http:
            for trip in TRIPS:
                body = {"content": trip, "topic": "여행", "type": "timeline"}
                await stack.http.post("/v1/memories", json=body, headers=stack.headers())
                clock.on(days=1)
            clock.on(days=120)
            assert await memory(stack, http, "consolidate") == {"digests": 1}
            assert await memory(stack, http, "consolidate") == {"digests": 0}
            listed = await memory(stack, http, "list")
            [digest] = [each for each in listed if "digest" in each["tags"]]
            sources = await memory(stack, http, "sources", digest["memory_id"])
            assert [each["content"] for each in sources] == list(TRIPS)
            kept = await memory(stack, http, "retain", digest["memory_id"], "keep")
            assert kept["retention"] == "keep"
            released = await memory(stack, http, "retain", digest["memory_id"])
            assert released["retention"] is None

        async with connected(stack, "http", "alice") as client:
            found = await called(client, "recall", message="어디에 다녀왔지?")
        [recalled] = [each for each in found["memories"] if each["id"] == digest["memory_id"]]
        assert all(trip in recalled["text"] for trip in TRIPS)
