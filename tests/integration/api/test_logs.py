"""Logs contain events, never text of users."""

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from benchmarks.doubles.models import ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.llm.ports import ModelRole
from saegim.telemetry import logs
from tests.stack import Databases, new_stack

SAID = "이 문장은 어떤 로그에도 없어야 합니다"


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    logs.configure("DEBUG", stream)
    yield stream
    root.handlers[:], root.level = handlers, level


async def test_a_turn_leaves_ids_and_codes_but_no_content(
    databases: Databases, written: io.StringIO
) -> None:
    def broken(_: object) -> str:
        raise RuntimeError(SAID)

    fakes = Fakes(models=ScriptedModels({ModelRole.LITE: broken}))
    async with new_stack(databases, fakes) as stack:
        reply = await stack.say(SAID, **{"X-Request-Id": "r-42"})

    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    assert reply["state"] == "failed"
    assert SAID not in written.getvalue()
    [request] = [line for line in lines if line["logger"] == "saegim.api"]
    assert request["message"].startswith("POST /v1/chat 200")
    assert request["request"] == "r-42"
    [broke] = [line for line in lines if line.get("error") == "RuntimeError"]
    assert reply["turn_id"] in broke["message"]


@pytest.mark.requirement("OP1")
async def test_the_call_log_names_key_tenant_route_status_and_duration(
    databases: Databases, tmp_path: Path
) -> None:
    root, calls = logging.getLogger(), logging.getLogger(logs.CALLS)
    handlers, level, own = root.handlers[:], root.level, calls.level
    console, file = io.StringIO(), tmp_path / "calls.log"
    logs.configure("WARNING", console, call_file=file)
    try:
        async with new_stack(databases) as stack:
            me = (await stack.http.get("/v1/me", headers=stack.headers("bora"))).json()
            await stack.http.get(f"/v1/sessions/{uuid4()}/context", headers=stack.headers("bora"))
            await stack.http.get("/v1/me", headers={"Authorization": "Bearer wrong"})
            tenant = str(stack.tenant.tenant.id)
    finally:
        for handler in root.handlers:
            handler.close()
        root.handlers[:], root.level = handlers, level
        calls.setLevel(own)

    first, second, refused = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert (first["method"], first["route"], first["status"]) == ("GET", "/v1/me", 200)
    assert (first["tenant"], first["user"]) == (tenant, me["user_id"])
    assert (first["credential"], UUID(first["key"]).version) == ("key", 7)
    assert first["ms"] > 0
    assert second["route"] == "/v1/sessions/{session_id}/context", (
        "no id, and nothing that was sent"
    )
    assert (second["key"], second["status"]) == (first["key"], 404)
    assert refused["status"] == 401
    assert "tenant" not in refused
    assert "bora" not in file.read_text("utf-8")
    assert "/v1/" not in console.getvalue(), "the console keeps its level"


async def test_polls_of_an_ingest_are_logged_at_debug_only(
    databases: Databases, written: io.StringIO
) -> None:
    async with new_stack(databases) as stack:
        opened = await stack.http.post("/v1/ingests", json={}, headers=stack.headers())
        path = f"/v1/ingests/{opened.json()['ingest_id']}"
        assert (await stack.http.get(path, headers=stack.headers())).status_code == 200
        missing = f"/v1/ingests/{uuid4()}"
        assert (await stack.http.get(missing, headers=stack.headers())).status_code == 404

    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    polls = [line for line in lines if line["message"].startswith("GET /v1/ingests/")]
    assert [(line["level"], line["status"]) for line in polls] == [("debug", 200), ("info", 404)]
