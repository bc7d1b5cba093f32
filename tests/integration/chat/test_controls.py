"""Controls of the context: chosen memories, caps and the preview."""

from typing import Any

import pytest

from benchmarks.doubles.models import RecordedRequest
from tests.integration.chat.library_stack import (
    LIBRARY,
    ask,
    assessor,
    reviewed,
    scripted,
    stored_library_stack,
)
from tests.stack import Databases, Stack

QUESTION = "EC2 비용 줄이는 방법?"


def models() -> Any:
    def plain(_: RecordedRequest) -> str:
        return "알겠습니다."

    return scripted(assessor=assessor(review=reviewed(0, confidence=0.95)), lite=plain)


async def remember(stack: Stack, content: str, user: str = "alice", *, pin: bool = False) -> str:
    headers = stack.headers(user)
    response = await stack.http.post("/v1/memories", json={"content": content}, headers=headers)
    memory = response.json()["memory_id"]
    if pin:
        await stack.http.put(f"/v1/memories/{memory}/pin", json={"pinned": True}, headers=headers)
    return memory


async def preview(stack: Stack, user: str = "alice", **body: Any) -> dict[str, Any]:
    response = await stack.http.post("/v1/preview", json=body, headers=stack.headers(user))
    assert response.status_code == 200, response.text
    return response.json()


def memories_of(items: list[dict[str, Any]]) -> list[str]:
    used = ("injected", "pinned")
    return [item["id"] for item in items if item["kind"] == "memory" and item["fate"] in used]


@pytest.mark.requirement("LM9", "CH6")
async def test_a_chosen_memory_comes_first_and_memory_can_be_left_out(
    databases: Databases,
) -> None:
    async with stored_library_stack(databases, models()) as stack:
        for number in range(12):
            await remember(stack, f"EC2 서버 {number}호의 비용 담당자는 {number}번 팀이다")
        chosen = await remember(stack, "고양이 간식이 서랍에 있다")
        pinned = await remember(stack, "보고서는 표로 정리한다", pin=True)

        few = {"memory_tokens": 200}
        plain = await ask(stack, QUESTION, memory_caps=few)
        with_chosen = await ask(stack, QUESTION, chosen_memory_ids=[chosen], memory_caps=few)
        without_pinned = await ask(stack, QUESTION, use_pinned=False)
        without = await ask(stack, QUESTION, use_memory=False)
        capped = await ask(stack, QUESTION, memory_caps={"memory_tokens": 60, "item_tokens": 20})

    assert chosen not in memories_of(plain["trace"]["items"])
    assert pinned in memories_of(plain["trace"]["items"])
    recalled = [one for one in memories_of(with_chosen["trace"]["items"]) if one != pinned]
    assert recalled[0] == chosen
    assert pinned not in memories_of(without_pinned["trace"]["items"])
    assert memories_of(without_pinned["trace"]["items"])
    assert memories_of(without["trace"]["items"]) == []
    block = next(one for one in capped["trace"]["blocks"] if one["name"] == "memories")
    assert block["items"] < next(
        one["items"] for one in plain["trace"]["blocks"] if one["name"] == "memories"
    )


@pytest.mark.requirement("CH6")
async def test_a_preview_is_what_the_message_would_see_and_keeps_nothing(
    databases: Databases,
) -> None:
    async with stored_library_stack(databases, models()) as stack:
        memory = await remember(stack, "EC2 예산은 1,200만원이다", "bob")
        shown = await preview(stack, "bob", message=QUESTION)
        without = await preview(stack, "bob", message=QUESTION, use_memory=False)
        document = await preview(stack, "bob", message="요약해줘", selected_doc_ids=["faq-1"])
        empty = await preview(stack, "bob")
        listed = await stack.http.get("/v1/sessions", headers=stack.headers("bob"))

    blocks = {block["name"]: block for block in shown["blocks"]}
    assert shown["tokens"] == sum(block["tokens"] for block in blocks.values()) <= shown["budget"]
    assert blocks["message"]["tokens"] > 0
    assert memory in memories_of(shown["items"])
    assert {one["kind"] for one in without["items"]} == {"passage"}
    assert {one["title"] for one in document["items"] if one["kind"] == "passage"} == {
        "비용 알림은 어떻게 받나요?"
    }
    assert empty["items"] == []
    assert listed.json()["sessions"] == []


async def test_sessions_documents_and_use_are_listed_for_their_own(databases: Databases) -> None:
    async with stored_library_stack(databases, models()) as stack:
        await stack.say("첫 번째 이야기입니다", "carol")
        await stack.say("두 번째 이야기입니다", "carol")
        headers = stack.headers("carol")
        body = {"message": "임시로 묻습니다", "temporary": True}
        await stack.http.post("/v1/chat", json=body, headers=headers)
        sessions = (await stack.http.get("/v1/sessions", headers=headers)).json()["sessions"]
        others = (await stack.http.get("/v1/sessions", headers=stack.headers("dave"))).json()
        documents = (await stack.http.get("/v1/documents", headers=headers)).json()["documents"]
        pages = await stack.http.get("/v1/documents?count=1", headers=headers)
        before = pages.json()["next_before"]
        rest = await stack.http.get(f"/v1/documents?before={before}", headers=headers)
        named = await stack.http.get("/v1/documents?q=센서", headers=headers)
        used = (await stack.http.get("/v1/usage", headers=headers)).json()["days"]

    assert [one["title"] for one in sessions] == [
        "임시로 묻습니다", "두 번째 이야기입니다", "첫 번째 이야기입니다"
    ]  # fmt: skip
    assert [one["temporary"] for one in sessions] == [True, False, False]
    assert others["sessions"] == []
    assert len(documents) == len(LIBRARY)
    assert all(one["passages"] >= 1 and one["collection"] == "default" for one in documents)
    assert [one["document_id"] for one in rest.json()["documents"]] == [
        one["document_id"] for one in documents[1:]
    ]
    assert [one["document_id"] for one in named.json()["documents"]] == ["ts-501"]
    assert sum(day["turns"] for day in used) == 3
    assert used[0]["p95_ms"] >= used[0]["p50_ms"] > 0
