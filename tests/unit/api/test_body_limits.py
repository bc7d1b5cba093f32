"""Bodies that are too large or too slow."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI

from saegim.api import problems
from saegim.api.middleware import BodyLimit, BodyLimits

LIMITS = BodyLimits(most_bytes=1_000, most_bytes_of_all=2_500, seconds=600)


@asynccontextmanager
async def limited(limits: BodyLimits) -> AsyncIterator[httpx2.AsyncClient]:
    app = FastAPI()

    @app.post("/v1/size")
    async def size(body: dict[str, Any]) -> int:  # pyright: ignore[reportUnusedFunction]
        return len(body["text"])

    problems.install(app)
    app.add_middleware(BodyLimit, limits=limits)
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://saegim") as client:
        yield client


@pytest.fixture
async def http() -> AsyncIterator[httpx2.AsyncClient]:
    async with limited(LIMITS) as client:
        yield client


async def parts(*given: bytes, between: asyncio.Event | None = None) -> AsyncIterator[bytes]:
    """The parts of a body; those after the first when the event is set."""
    for number, part in enumerate(given):
        if number and between is not None:
            await between.wait()
        yield part


async def test_a_body_in_parts_arrives_whole(http: httpx2.AsyncClient) -> None:
    json = {"Content-Type": "application/json"}
    body = parts(b'{"text":', b' "1234"}')
    answer = await http.post("/v1/size", content=body, headers=json)
    assert (answer.status_code, answer.json()) == (200, 4)


async def test_a_chunked_body_that_is_too_large_is_413(http: httpx2.AsyncClient) -> None:
    answer = await http.post(
        "/v1/size", content=parts(*[b"x" * 400] * 3), headers={"Accept-Language": "en"}
    )
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert answer.json()["title"] == "The request is too large."
    assert answer.json()["detail"] == "the limit is 1000 bytes"


async def test_a_slow_body_is_408() -> None:
    never = asyncio.Event()
    async with limited(replace(LIMITS, seconds=0.2)) as http:
        answer = await http.post("/v1/size", content=parts(b"{", b"}", between=never))
    assert (answer.status_code, answer.json()["code"]) == (408, "request_timeout")


async def test_large_bodies_at_once_are_bounded_together(http: httpx2.AsyncClient) -> None:
    refused = asyncio.Event()
    bodies = [parts(b"x" * 900, b"x", between=refused) for _ in range(3)]
    slow = [asyncio.create_task(http.post("/v1/size", content=body)) for body in bodies]
    await asyncio.wait(slow, return_when=asyncio.FIRST_COMPLETED)
    refused.set()
    codes = sorted([answer.status_code for answer in await asyncio.gather(*slow)])
    assert codes == [422, 422, 503]
    again = await http.post("/v1/size", json={"text": "x" * 900})
    assert again.status_code == 200
