"""Chat logs of another service: a labelled source with its own audience."""

from pathlib import Path
from typing import Any

import pytest

from saegim.sources.types import CrawlLimits, Folder, NewSource
from tests.integration.sources.conftest import counts, look
from tests.stack import Stack

EXPORT = """장비팀 님과 카카오톡 대화
저장한 날짜 : 2024-01-06 09:05:12

--------------- 2024년 1월 5일 금요일 ---------------
[홍길동] [오후 3:05] SUPRA XP가 안 켜져요
[김철수] [오후 3:07] 전원 차단기를 먼저 확인하세요
--------------- 2024년 1월 6일 토요일 ---------------
[홍길동] [오전 12:10] 켜졌습니다
"""


async def made(stack: Stack, path: str, body: dict[str, Any]) -> dict[str, Any]:
    response = await stack.http.post(path, json=body, headers=stack.headers("admin"))
    assert response.status_code == 201, response.text
    return response.json()


async def found(stack: Stack, headers: dict[str, str]) -> list[dict[str, Any]]:
    body = {"query": "SUPRA XP가 안 켜질 때 차단기"}
    response = await stack.http.post("/v1/search", json=body, headers=headers)
    assert response.status_code == 200, response.text
    return response.json()["found"]


@pytest.mark.requirement("LB8", "LB11")
async def test_a_kakaotalk_export_is_a_labelled_source_with_its_own_audience(
    stack: Stack, root: Path
) -> None:
    (root / "KakaoTalk_20240106.txt").write_text(EXPORT, "utf-8")
    await made(stack, "/v1/collections", {"name": "kakao-equipment", "audience": ["equipment"]})
    new = NewSource(Folder(str(root)), "kakao-equipment", "chat", 3600, CrawlLimits())
    source = await stack.services.sources.sources.add_as_operator(stack.tenant.tenant.id, new)
    assert counts(await look(stack, str(source.source.id)))[:2] == (1, 1)

    key = {"name": "team", "role": "member", "groups": ["equipment"]}
    secret = (await made(stack, "/v1/keys", key))["secret"]
    team = {"Authorization": f"Bearer {secret}", "Saegim-User": "hong"}
    hits = await found(stack, team)
    window = next(hit for hit in hits if "차단기" in hit["text"])
    assert "안 켜져요" in window["text"], "a window holds the messages around the hit"
    assert "켜졌습니다" not in window["text"], "and none of another day"
    assert window["document"]["type"] == "chat"
    assert "장비팀" in window["document"]["title"]

    assert await found(stack, stack.headers("outsider")) == []
