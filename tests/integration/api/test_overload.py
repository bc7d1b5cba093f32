"""Refusals, logs and error details under overload, on real stores and a real socket."""

import asyncio
import io
import json
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import httpx2
import pytest
import uvicorn

from benchmarks.doubles.models import Pieces, RecordedRequest, Reply, ScriptedModels
from benchmarks.overload import Overload, Run
from saegim.api.app import create_app
from saegim.app.infrastructure import Fakes
from saegim.cli.server.http_protocol import HttpLimits, bounded_http
from saegim.db.cells import HOME_CELL
from saegim.llm.ports import ModelRole
from saegim.telemetry import logs
from tests.stack import Databases, Stack, new_stack

AWAY = ("203.0.113.9", 4711)


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    logs.configure("INFO", stream)
    yield stream
    root.handlers[:], root.level = handlers, level


def away(stack: Stack) -> httpx2.AsyncClient:
    """A client on another machine."""
    transport = httpx2.ASGITransport(app=create_app(stack.services), client=AWAY)
    return httpx2.AsyncClient(transport=transport, base_url="http://saegim")


async def test_strangers_hear_only_whether_the_server_is_ready(stack: Stack) -> None:
    async with away(stack) as stranger:
        told = await stranger.get("/health/ready")
    here = await stack.http.get("/health/ready")
    assert (told.status_code, told.json()) == (200, {"ready": True})
    assert {"workers", "jobs_waiting", "jobs_failed"} <= here.json().keys()


async def test_a_server_that_warms_up_is_not_ready(stack: Stack) -> None:
    app = create_app(stack.services)
    app.state.warming = asyncio.create_task(asyncio.sleep(30))
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://saegim") as http:
        cold = await http.get("/health/ready")
        app.state.warming.cancel()
        await asyncio.wait({app.state.warming})
        warm = await http.get("/health/ready")
    assert (cold.status_code, cold.json()["warm"]) == (503, False)
    assert warm.status_code == 200


async def test_failed_authentication_is_counted_and_logged_without_the_secret(
    stack: Stack, written: io.StringIO
) -> None:
    wrong = stack.tenant.key[:-4] + "0000"
    async with away(stack) as stranger:
        refused = await stranger.get("/v1/sessions", headers={"Authorization": f"Bearer {wrong}"})
        good = await stranger.get("/v1/sessions", headers=stack.headers())
    page = (await stack.http.get("/metrics")).text
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    [failure] = [line for line in lines if line["message"] == "authentication failed"]
    [answered] = [line for line in lines if line["message"].startswith("GET /v1/sessions 200")]
    assert (refused.status_code, good.status_code) == (401, 200)
    assert failure["tenant"] == answered["tenant"] == str(stack.tenant.tenant.id)
    assert failure["client"] == answered["client"]
    assert failure["key_hash"]
    assert answered["key"]
    assert wrong not in written.getvalue()
    assert AWAY[0] not in written.getvalue()
    assert 'saegim_authentication_failures_total{credential="key"} 1.0' in page


async def test_requests_of_one_user_beyond_the_bound_are_429(databases: Databases) -> None:
    settings = {"requests_at_once_per_user": 2}
    async with new_stack(databases, settings=settings) as stack:
        asked = (stack.http.get("/v1/sessions", headers=stack.headers()) for _ in range(80))
        answers = await asyncio.gather(*asked)
        other = await stack.http.get("/v1/sessions", headers=stack.headers("bora"))
    codes = {answer.status_code for answer in answers}
    refused = [answer for answer in answers if answer.status_code != 200]
    assert codes == {200, 429}
    assert all(1 <= int(answer.headers["Retry-After"]) <= 4 for answer in refused)
    assert other.status_code == 200


@asynccontextmanager
async def listening(stack: Stack, limits: HttpLimits) -> AsyncIterator[int]:
    """The API on a port, with these bounds on its connections."""
    app = create_app(stack.services)
    http = bounded_http(limits, app.state.early_refusals)
    config = uvicorn.Config(app, port=0, log_config=None, lifespan="off", http=http)
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await task


async def test_headers_that_do_not_arrive_in_time_are_408(stack: Stack) -> None:
    async with listening(stack, HttpLimits(header_seconds=2)) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /health/live HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        async with asyncio.timeout(180):
            answer = await reader.read()
        writer.close()
    assert answer.startswith(b"HTTP/1.1 408 ")


async def test_a_connection_between_two_requests_is_closed_in_time(stack: Stack) -> None:
    async with listening(stack, HttpLimits(header_seconds=2)) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\nGET /half")
        async with asyncio.timeout(180):
            answer = await reader.read()
        writer.close()
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b"HTTP/1.1 408 " in answer


async def test_idle_connections_make_room_for_new_ones(stack: Stack) -> None:
    async with (
        listening(stack, HttpLimits(connections=3, header_seconds=3600)) as port,
        asyncio.timeout(180),
    ):
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(6)]
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=180) as http:
            answer = await http.get("/health/live")
        assert await idle[0][0].read() == b""
        for _, writer in idle:
            writer.close()
    assert answer.status_code == 200


@pytest.mark.alone
async def test_a_flood_of_one_member_is_refused_and_other_tenants_are_served(
    databases: Databases,
) -> None:
    """A small `make verify-overload`, without its ceilings of time."""
    usual = {"requests_at_once_per_user": 8, "turns_at_once_per_user": 2}
    async with (
        new_stack(databases, settings=usual) as stack,
        listening(stack, HttpLimits()) as port,
    ):
        await stack.services.warm_up()
        other = await stack.services.auth.tenants.create("other", "ko", HOME_CELL)
        pool = stack.services.db.cells.named(HOME_CELL).pool
        keys = [stack.tenant.key, other.key]
        overload = Overload(f"http://127.0.0.1:{port}", keys, lambda: pool().size)
        seen = await overload.observe(Run(seconds=1.5, pause=9, turns_per_s=4), 150)
        most = pool().most
    assert seen.statuses.keys() <= {200, 429, 503}
    assert seen.statuses[200] >= 8
    assert seen.statuses[429] + seen.statuses[503] >= 100
    assert seen.without_retry_after == 0
    assert 1 <= seen.connections <= most
    assert (len(seen.turn_ms), seen.turns_refused) == (6, 0)
    assert len(seen.health_ms) >= 5


async def test_turns_of_one_user_beyond_the_bound_wait_for_the_others(
    databases: Databases,
) -> None:
    begin, asked = asyncio.Event(), list[str]()

    def answer(shown: RecordedRequest) -> Reply:
        asked.append(shown.messages[-1].text)
        return Pieces(("네.",), begin=begin)

    async def started(number: int) -> None:
        async with asyncio.timeout(180):
            while len(asked) < number:
                await asyncio.sleep(0.01)

    models = ScriptedModels({ModelRole.ASSESSOR: answer, ModelRole.LITE: answer})
    settings = {"turns_at_once_per_user": 1}
    async with new_stack(databases, Fakes(models=models), settings=settings) as stack:
        first = asyncio.create_task(stack.say("첫째 질문입니다"))
        await started(1)
        second = asyncio.create_task(stack.say("둘째 질문입니다"))
        other = asyncio.create_task(stack.say("다른 사람의 질문입니다", "bora"))
        await started(2)
        waiting = not any("둘째" in message for message in asked)
        begin.set()
        await asyncio.gather(first, second, other)
    assert waiting
    assert any("둘째" in message for message in asked)
