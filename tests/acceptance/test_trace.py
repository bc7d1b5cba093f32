"""One turn is one trace: from the API to its jobs and their models, in a file, without content."""

import asyncio
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2
import pytest

from benchmarks.stack import LiveStack
from saegim.testing.providers import BrokenProvider

SAID = "나는 해운대에 살고 고양이 두 마리를 키워"
WRITTEN = '{"statements": []}'
TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def spans_in(path: Path) -> list[dict[str, Any]]:
    text = path.read_text("utf-8") if path.exists() else ""
    return [json.loads(line) for line in text.splitlines()]


async def exported(path: Path, name: str) -> list[dict[str, Any]]:
    """The spans, once one of that name is among them: they are written in batches."""
    async with asyncio.timeout(30):
        while True:
            spans = spans_in(path)
            if any(span["name"] == name for span in spans):
                return spans
            await asyncio.sleep(0.25)


@pytest.mark.requirement("OP3")
async def test_one_turn_is_one_trace_through_api_job_and_model() -> None:
    with TemporaryDirectory(prefix="saegim-trace-") as folder:
        files = {name: Path(folder) / f"{name}.jsonl" for name in ("traces", "log", "errors")}
        settings = {
            "SAEGIM_TRACES_TO": str(files["traces"]),
            "SAEGIM_LOG_FILE": str(files["log"]),
            "SAEGIM_LOG_ERROR_FILE": str(files["errors"]),
            "SAEGIM_LOG_LEVEL": "DEBUG",
            "OTEL_BSP_SCHEDULE_DELAY": "200",
        }
        async with (
            BrokenProvider(text=WRITTEN) as model,
            LiveStack.start(Path(folder), model.base_url, 1, settings) as stack,
            httpx2.AsyncClient(base_url=stack.url, timeout=30) as http,
        ):
            key = await stack.new_tenant("해운대 상사")
            headers = {"Authorization": f"Bearer {key}", "Saegim-User": "bora"}
            headers["traceparent"] = TRACEPARENT
            reply = await http.post("/v1/chat", json={"message": SAID}, headers=headers)
            spans = await exported(files["traces"], "job extract")
            logged = files["log"].read_text("utf-8")
            written = files["traces"].read_text("utf-8") + logged

    turn = reply.json()["turn_id"]
    trace = "0x" + turn.replace("-", "")
    own = [span for span in spans if span["context"]["trace_id"] == trace]
    by_id = {span["context"]["span_id"]: span for span in own}
    [root] = [span for span in own if span["parent_id"] is None]
    [asked] = [span for span in own if span["name"] == "invoke_agent"]
    [job] = [span for span in own if span["name"] == "job extract"]
    models = [span for span in own if span["name"] == "chat local"]

    assert root["name"] == "POST /v1/chat"
    assert root["links"][0]["context"]["trace_id"] == "0x" + TRACEPARENT.split("-")[1]
    assert root["resource"]["attributes"]["service.name"] == "saegim-api"
    assert asked["parent_id"] == job["parent_id"] == root["context"]["span_id"]
    assert asked["attributes"]["gen_ai.conversation.id"] == reply.json()["session_id"]
    assert job["resource"]["attributes"]["service.name"] == "saegim-worker"
    # Every span hangs below another one of the trace.
    assert all(span["parent_id"] in by_id for span in own if span is not root)
    asked_by = {by_id[span["parent_id"]]["name"] for span in models}
    assert {"answer", "job extract"} <= asked_by
    [answer] = [s for s in models if s["attributes"]["saegim.step"] == "answer"]
    assert answer["kind"] == "SpanKind.CLIENT"
    assert (
        answer["attributes"]
        | {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": "local",
        }
        == answer["attributes"]
    )
    assert answer["attributes"]["gen_ai.usage.output_tokens"] > 0
    for planted in ("해운대", "고양이", "bora", key):
        assert planted not in written
    assert "POST /v1/chat 200" in logged
