"""Bringing documents in, as a client does it."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from benchmarks.idle import is_idle
from tests.stack import Stack


async def bring_in(
    stack: Stack,
    files: Mapping[str, bytes | str],
    collection: str = "default",
    kind: str = "guide",
    seconds: float = 600,
) -> dict[str, Any]:
    """Sends files and works until all of them are over and the index knows of them."""
    body = {"collection": collection, "type": kind}
    headers = stack.headers("editor")
    opened = await stack.http.post("/v1/ingests", json=body, headers=headers)
    assert opened.status_code == 201, opened.text
    ingest = opened.json()["ingest_id"]
    for name, content in files.items():
        sent = await stack.http.put(
            f"/v1/ingests/{ingest}/files/{name}", content=content, headers=headers
        )
        assert sent.status_code == 202, sent.text
    async with stack.working():
        return await finished(stack, ingest, seconds)


async def finished(
    stack: Stack, ingest: str, seconds: float = 600, user: str = "editor"
) -> dict[str, Any]:
    async with asyncio.timeout(seconds):
        while True:
            response = await stack.http.get(f"/v1/ingests/{ingest}", headers=stack.headers(user))
            # On a busy machine the store may be out of reach for a moment, which is a 503.
            if response.json().get("over") and await idle(stack):
                return response.json()
            await asyncio.sleep(0.05)


async def idle(stack: Stack) -> bool:
    """Whether no job waits or runs."""
    return await is_idle(stack.services)


async def search(stack: Stack, query: str, user: str = "alice", **filters: Any) -> dict[str, Any]:
    response = await stack.http.post(
        "/v1/search", json={"query": query, **filters}, headers=stack.headers(user)
    )
    assert response.status_code == 200, response.text
    return response.json()


@pytest.fixture(autouse=True)
async def warm(stack: Stack) -> None:
    """Loads the engines first: their import would hold up everything else in the process."""
    await stack.services.warm_up()


GUIDE = """# EC2 비용 줄이기

이 안내서는 EC2 비용을 줄이는 방법을 설명합니다.

## 예약 인스턴스

1년 또는 3년 약정으로 최대 72% 할인을 받습니다. 약정 전에 사용량을 먼저 확인하세요.

## 스팟 인스턴스

1. 콘솔에서 스팟 요청을 엽니다.
2. 최대 가격을 정합니다.
3. 중단될 때의 동작을 고릅니다.

## 요금표

| 유형 | 시간당 |
| --- | --- |
| t3.micro | $0.013 |
| m5.large | $0.118 |
"""
