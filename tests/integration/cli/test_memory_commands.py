"""`saegim memory` looks after records, and an agent recalls the digest that it makes."""

import asyncio
import json
from typing import Any

import httpx2
from typer.testing import CliRunner

from benchmarks.doubles.providers import BrokenProvider
from saegim.app.infrastructure import Fakes
from saegim.cli.main import app
from tests.integration.mcp.test_mcp import called, connected
from tests.integration.memory.turns import Hands
from tests.stack import Databases, Stack, new_stack, served

TRIPS = ("제주도에 다녀왔다", "강릉에 다녀왔다", "부산에 다녀왔다", "속초에 다녀왔다")


async def memory(stack: Stack, http: httpx2.AsyncClient, *arguments: str) -> Any:
    """Returns the report of a `saegim memory` command."""
    return await run(stack, http, "memory", *arguments)


async def run(stack: Stack, http: httpx2.AsyncClient, *arguments: str) -> Any:
    """Returns the report of a command."""
    options = ["--json", "--url", str(http.base_url), "--user", "alice"]
    environment = {"SAEGIM_KEY": stack.tenant.key, "SAEGIM_POSTGRES_URL": "set"}
    result = await asyncio.to_thread(
        CliRunner().invoke, app, [*arguments, *options], env=environment
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


async def test_a_memory_is_shared_with_the_team_and_listed(databases: Databases) -> None:
    async with new_stack(databases) as stack, served(stack.services) as http:
        body = {"content": "배포는 화요일에 하기로 했다", "type": "decision"}
        added = await stack.http.post("/v1/memories", json=body, headers=stack.headers("alice"))
        shared = await memory(stack, http, "share", added.json()["memory_id"])
        assert shared["content"] == body["content"]
        [listed] = await memory(stack, http, "team", "화요일")
        assert listed["team_memory_id"] == shared["team_memory_id"]
        assert [each["name"] for each in listed["contributions"]] == ["alice"]
        assert await memory(stack, http, "team", "수요일") == []


async def test_what_may_leave_to_a_connection_is_shown_and_set(databases: Databases) -> None:
    networks = {"model_private_networks": ["127.0.0.0/8"]}
    async with (
        BrokenProvider() as provider,
        new_stack(databases, settings=networks) as stack,
        served(stack.services) as http,
    ):
        body = {
            "provider": "openai",
            "base_url": provider.base_url,
            "api_key": "sk-test-0123456789",
            "name": "outside",
            "model": "mine",
        }
        added = await stack.http.post(
            "/v1/model-connections", json=body, headers=stack.headers("admin")
        )
        assert added.is_success, added.text
        changed = await run(
            stack, http, "model", "egress", "outside", "--withhold", "profile", "--no-names"
        )
        assert changed["withheld_types"] == ["profile"]
        assert changed["uses_pseudonyms"]
        pinned = await run(stack, http, "model", "egress", "outside", "--no-pinned")
        assert (pinned["withholds_pinned"], pinned["withheld_types"]) == (True, ["profile"])
        assert await run(stack, http, "model", "egress", "outside") == pinned
        opened = await run(stack, http, "model", "egress", "outside", "--everything")
        assert opened["withheld_types"] == []
        assert not opened["withholds_pinned"]
        assert not opened["uses_pseudonyms"]
