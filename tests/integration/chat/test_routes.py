"""Routing of messages, through the API."""

from typing import Any

import pytest

from saegim.llm.bundled_embedders import BundledEmbedder
from tests.integration.chat.library_stack import (
    LIBRARY,
    ask,
    assessor,
    configure,
    reviewed,
    scripted,
    stored_library_stack,
)
from tests.stack import Databases

# Loaded once for all tests.
EMBEDDER = BundledEmbedder()
HISTORY: list[dict[str, Any]] = [
    {"role": "user", "content": "펌프 교체 이력 찾아줘"},
    {
        "role": "assistant",
        "summary": "SUPRA XP 펌프 교체 이력 문서입니다.",
        "refs": ["SUPRA XP 펌프 교체 이력"],
        "doc_ids": ["myservice-29392"],
    },
]


@pytest.mark.requirement("TN10", "TN1", "TN2")
async def test_a_named_document_is_opened_without_a_model_call(databases: Databases) -> None:
    models = scripted(lite=lambda _: "펌프를 교체한 기록입니다 [1].", assessor=assessor())
    async with stored_library_stack(databases, models) as stack:
        reply = await ask(stack, "myservice 29392 설명해줘")

    assert reply["route"] == "doc_lookup"
    assert reply["ref_doc_ids"] == ["myservice-29392"]
    assert reply["refs"] == ["SUPRA XP 펌프 교체 이력"]
    assert reply["citations"][0]["document"] == "myservice-29392"
    routing = reply["trace"]["routing"]
    assert (routing["reason"], routing["lookup_source"]) == ("document_id", "query")
    assert [call["step"] for call in reply["trace"]["calls"]] == ["answer"]
    assert [search["tool"] for search in reply["trace"]["searches"]] == ["lookup", "related"]
    assert "ts-501" in reply["related_doc_ids"]
    assert "myservice-29392" not in reply["related_doc_ids"]


@pytest.mark.requirement("TN10", "TN2")
async def test_that_document_with_history_opens_its_documents(databases: Databases) -> None:
    async with stored_library_stack(databases, heads_embedder=EMBEDDER) as stack:
        reply = await ask(stack, "그 문서 더 자세히", chat_history=HISTORY)

    assert reply["route"] == "doc_lookup"
    assert reply["ref_doc_ids"] == ["myservice-29392"]
    assert reply["trace"]["routing"]["lookup_source"] == "history"
    assert "SUPRA XP 펌프 교체 이력" in reply["answer"].splitlines()[0]


@pytest.mark.requirement("TN10")
@pytest.mark.parametrize("history", [[], HISTORY], ids=["alone", "with_history"])
async def test_a_model_has_that_document_from_the_search(
    databases: Databases, history: list[dict[str, Any]]
) -> None:
    models = scripted(lite=lambda _: "찾은 문서입니다 [1].")
    async with stored_library_stack(databases, models) as stack:
        reply = await ask(stack, "그 문서 더 자세히", chat_history=history)

    assert reply["route"] == "general"
    assert reply["trace"]["searches"][0]["tool"] == "search_all"


@pytest.mark.requirement("TN10", "TN11")
async def test_a_sensor_fault_is_routed_as_usual(databases: Databases) -> None:
    async with stored_library_stack(databases) as stack:
        reply = await ask(stack, "SUPRA XP 센서 이상")
        again = await ask(stack, "교체 기준은 몇 V야?")

    assert reply["route"] == "ts"
    assert reply["trace"]["searches"][0]["tool"] == "search_all"
    assert reply["entities"]["equipment"] == "SUPRA XP"
    assert reply["ref_doc_ids"][0] == "ts-501"
    assert "5.2 V" in reply["answer"]
    assert "[1]" in reply["answer"]
    assert again["entities"]["equipment"] == "SUPRA XP"


@pytest.mark.requirement("TN2", "WM6")
async def test_the_session_itself_remembers_its_documents(databases: Databases) -> None:
    async with stored_library_stack(databases, heads_embedder=EMBEDDER) as stack:
        first = await ask(stack, "gcb-77 말고 myservice_29392 알려줘")
        second = await ask(stack, "그 문서 더 자세히 알려줘")

    assert first["trace"]["rejected_doc_ids"] == ["gcb-77"]
    assert first["ref_doc_ids"] == ["myservice-29392"]
    assert second["route"] == "doc_lookup"
    assert second["ref_doc_ids"] == ["myservice-29392"]


@pytest.mark.requirement("TN2")
async def test_unknown_ids_are_ignored_and_a_search_runs(databases: Databases) -> None:
    async with stored_library_stack(databases) as stack:
        reply = await ask(stack, "gcb-99999 센서 이상 조치")

    assert reply["route"] != "doc_lookup"
    assert reply["trace"]["rejected_doc_ids"] == ["gcb-99999"]
    assert [search["tool"] for search in reply["trace"]["searches"]][:2] == [
        "lookup",
        "search_all",
    ]


@pytest.mark.requirement("TN1")
async def test_a_greeting_is_answered_without_evidence(databases: Databases) -> None:
    models = scripted(lite=lambda _: "안녕하세요!")
    async with stored_library_stack(databases, models) as stack:
        reply = await ask(stack, "안녕하세요!!")
    async with stored_library_stack(databases, heads_embedder=EMBEDDER) as stack:
        offline = await ask(stack, "안녕하세요!!")

    assert reply["answer"] == "안녕하세요!"
    [asked] = models.requests
    assert asked.blocks("evidence") == []
    assert (offline["route"], offline["trace"]["searches"]) == ("chat", [])


@pytest.mark.requirement("WM9")
async def test_chosen_documents_are_answered_from_again(databases: Databases) -> None:
    async with stored_library_stack(databases) as stack:
        first = await ask(stack, "SUPRA XP 펌프와 센서")
        again = await stack.http.post(
            f"/v1/turns/{first['turn_id']}/regenerate",
            json={"selected_doc_ids": ["ts-501", "no-such-1"]},
            headers=stack.headers(),
        )

    assert again.status_code == 200, again.text
    assert again.json()["session_id"] == first["session_id"]
    assert again.json()["ref_doc_ids"] == ["ts-501"]
    assert again.json()["route"] == "doc_lookup"


@pytest.mark.requirement("TN1")
async def test_routes_are_configuration(databases: Databases) -> None:
    route = {"name": "billing", "about": "청구", "words": ["청구", "영수증"], "prefers": ["faq"]}
    general = {"name": "general", "about": "그 밖"}
    async with stored_library_stack(databases) as stack:
        await configure(stack, routes=[route, general], document_ids=["case"])
        billing = await ask(stack, "영수증은 어디서 받아?")
        plain = await ask(stack, "myservice 29392 설명해줘")
        wrong = await stack.http.put(
            "/v1/assistant/config", json={"rutes": []}, headers=stack.headers("admin")
        )

    assert billing["route"] == "billing"
    assert plain["route"] == "general"
    assert wrong.status_code == 422


def test_the_library_of_these_tests_has_a_document_for_each_way() -> None:
    assert len(LIBRARY) == 4


@pytest.mark.requirement("TN2", "TN10")
async def test_a_review_may_say_that_an_earlier_document_is_meant(databases: Databases) -> None:
    yes = reviewed(refers_to_document=True, standalone="펌프 교체 절차의 다음 단계")
    models = scripted(lite=lambda _: "새 펌프를 연결합니다 [1].", assessor=assessor(yes))
    async with stored_library_stack(databases, models, careful=True) as stack:
        reply = await ask(stack, "두 번째 것 다음에는 뭘 하지?", chat_history=HISTORY)

    assert reply["route"] == "doc_lookup"
    assert reply["ref_doc_ids"] == ["myservice-29392"]
    assert reply["trace"]["routing"]["standalone"] == "펌프 교체 절차의 다음 단계"
