"""One turn is one trace: from the API to its jobs and their models, in a file, without content."""

import asyncio
import json
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2
import pytest

from benchmarks.doubles.providers import BrokenProvider
from benchmarks.stack import SERVED_EMBEDDER, LiveStack
from saegim.memory.extraction.job import DUE_TURNS

SAID = "나는 해운대에 살고 고양이 두 마리를 키워"
WRITTEN = '{"statements": []}'
TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def spans_in(path: Path, trace: str) -> list[dict[str, Any]]:
    """The spans of a trace, as far as their lines are written to the end."""
    lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    spans = [json.loads(line) for line in lines if line.endswith(b"\n")]
    return [span for span in spans if span["context"]["trace_id"] == trace]


def has_failed(span: dict[str, Any]) -> bool:
    """Whether it is of a try that failed; the next one has a span of its own."""
    return "error.type" in span["attributes"]


def is_whole(spans: list[dict[str, Any]]) -> bool:
    """Whether the request and its job are there, and whatever else is there hangs below them."""
    above = {span["context"]["span_id"] for span in spans} | {None}
    names = {span["name"] for span in spans if not has_failed(span)}
    return {"POST /v1/chat", "job extract"} <= names and all(
        span["parent_id"] in above for span in spans
    )


async def exported(path: Path, trace: str) -> list[dict[str, Any]]:
    """The spans of a trace, once it is whole: each process writes its own in batches."""
    async with asyncio.timeout(180):
        while not is_whole(spans := spans_in(path, trace)):
            await asyncio.sleep(0.25)
    return spans


async def ask(http: httpx2.AsyncClient, headers: dict[str, str]) -> httpx2.Response:
    """Sends the message; again while a store does not respond in time, which is a 503."""
    async with asyncio.timeout(180):
        while True:
            reply = await http.post("/v1/chat", json={"message": SAID}, headers=headers)
            if reply.status_code != HTTPStatus.SERVICE_UNAVAILABLE:
                assert reply.status_code == HTTPStatus.OK, reply.text
                return reply
            await asyncio.sleep(1)


@pytest.mark.requirement("OP3")
async def test_one_turn_is_one_trace_through_api_job_and_model() -> None:
    with TemporaryDirectory(prefix="saegim-trace-") as folder:
        files = {name: Path(folder) / f"{name}.jsonl" for name in ("traces", "log", "errors")}
        settings = SERVED_EMBEDDER | {
            "SAEGIM_TRACES_FILE": str(files["traces"]),
            "SAEGIM_LOG_FILE": str(files["log"]),
            "SAEGIM_LOG_ERROR_FILE": str(files["errors"]),
            "SAEGIM_LOG_LEVEL": "DEBUG",
            "OTEL_BSP_SCHEDULE_DELAY": "200",
            # A server on this machine that is as fast as a provider: every step asks it.
            "SAEGIM_MODEL_STEP_SECONDS": "6",
        }
        async with (
            BrokenProvider(text=WRITTEN) as model,
            LiveStack.start(Path(folder), model.base_url, 1, settings) as stack,
            httpx2.AsyncClient(base_url=stack.url, timeout=180) as http,
        ):
            key = await stack.new_tenant("해운대 상사")
            headers = {"Authorization": f"Bearer {key}", "Saegim-User": "bora"}
            headers |= {"traceparent": TRACEPARENT, "Saegim-Session": "s"}
            # A model reads so many turns at once, in the job of the last.
            replies = [await ask(http, headers) for _ in range(DUE_TURNS)]
            reply = replies[-1]
            trace = "0x" + reply.json()["turn_id"].replace("-", "")
            own = await exported(files["traces"], trace)
            logged = files["log"].read_text("utf-8")
            written = files["traces"].read_text("utf-8") + logged

    by_id = {span["context"]["span_id"]: span for span in own}
    [root] = [span for span in own if span["parent_id"] is None]
    [asked] = [span for span in own if span["name"] == "invoke_agent"]
    [job] = [s for s in own if s["name"] == "job extract" and not has_failed(s)]
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
    answers = [s for s in models if s["attributes"]["saegim.step"] == "answer"]
    [answer] = [s for s in answers if not has_failed(s)]
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
