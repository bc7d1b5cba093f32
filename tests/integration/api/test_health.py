"""The health endpoints."""

import asyncio
from dataclasses import replace

import httpx2
import pytest

from saegim.api.app import create_app
from saegim.db.health import PostgresHealth
from tests.stack import Stack


async def test_live_asks_nobody_and_ready_tells_each_part(stack: Stack) -> None:
    live = await stack.http.get("/health/live")
    ready = await stack.http.get("/health/ready")
    assert live.json() == {"live": True}
    assert ready.status_code == 200
    assert (ready.json()["postgres"], ready.json()["redis"]) == ("ok", "ok")


async def test_ready_says_no_after_a_minute_without_a_worker(stack: Stack) -> None:
    now = 1_000.0
    health = PostgresHealth(stack.services.db.cells, lambda: now)
    app = create_app(replace(stack.services, db=replace(stack.services.db, health=health)))
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app=app), base_url="http://saegim"
    ) as http:
        told = [await http.get("/health/ready")]
        now += 61
        told.append(await http.get("/health/ready"))
        async with stack.working(), asyncio.timeout(180):
            while (await http.get("/health/ready")).status_code == 503:
                await asyncio.sleep(0.05)
        now += 30
        told.append(await http.get("/health/ready"))
    assert [(each.status_code, each.json()["ready"]) for each in told] == [
        (200, True),
        (503, False),
        (200, True),
    ]
    assert told[1].json()["workers"] == 0


async def test_waiting_jobs_and_workers_show_in_health_and_metrics(stack: Stack) -> None:
    await stack.say("안녕하세요")
    waiting = await stack.http.get("/metrics")
    async with stack.working():
        async with asyncio.timeout(180):
            while (await stack.http.get("/health/ready")).json()["jobs_waiting"]:
                await asyncio.sleep(0.05)
        at_work = (await stack.http.get("/metrics")).text
    # The episode, the extraction, the title and the words for search.
    assert 'saegim_jobs_waiting{cell="main"} 4.0\n' in waiting.text
    assert waiting.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'saegim_workers{cell="main"} 1.0\n' in at_work
    assert 'saegim_jobs_waiting{cell="main"} 0.0\n' in at_work


@pytest.mark.parametrize("path", ["/v1/nothing", "/v1/turns/not-a-uuid"])
async def test_whatever_goes_wrong_is_a_problem(stack: Stack, path: str) -> None:
    response = await stack.http.get(path, headers=stack.headers())
    assert response.status_code in (404, 422)
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["type"].startswith("urn:saegim:problem:")


async def test_a_huge_body_is_refused_before_it_is_read(stack: Stack) -> None:
    response = await stack.http.post("/v1/chat", content=b"x" * 1_000_001, headers=stack.headers())
    assert (response.status_code, response.json()["code"]) == (413, "too_large")


async def test_a_validation_error_does_not_repeat_the_input(stack: Stack) -> None:
    response = await stack.http.post(
        "/v1/chat", json={"message": {"secret": "들키면 안 되는 말"}}, headers=stack.headers()
    )
    assert response.status_code == 422
    assert "들키면" not in response.text
