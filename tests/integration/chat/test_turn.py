"""One message, end to end, through the real stores."""

from urllib.parse import quote

import pytest

from benchmarks.doubles.models import ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.chat.types import NOTHING_FOUND
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.llm.ports import ModelRole
from saegim.locales import translate
from tests.integration.chat.situation import without_situation
from tests.stack import Databases, Stack, new_stack


@pytest.mark.requirement("WM9")
async def test_a_message_is_answered_and_recorded(stack: Stack) -> None:
    reply = await stack.say("안녕하세요")

    assert reply["state"] == "done"
    assert reply["outcome"] == "nothing_found"
    assert reply["answer"] == translate(NOTHING_FOUND, "ko")
    assert set(reply) >= {"answer", "summary", "refs", "ref_doc_ids", "turn_id", "session_id"}
    stored = await stack.http.get(f"/v1/turns/{reply['turn_id']}", headers=stack.headers())
    assert stored.json()["message"] == "안녕하세요"
    assert stored.json()["answer"] == reply["answer"]


async def test_a_named_session_goes_on_and_another_name_starts_another(stack: Stack) -> None:
    first = await stack.say("하나", **{"Saegim-Session": quote("오늘")})
    second = await stack.say("둘", **{"Saegim-Session": quote("오늘")})
    other = await stack.say("셋", **{"Saegim-Session": "tomorrow"})

    assert first["session_id"] == second["session_id"] != other["session_id"]
    page = await stack.http.get(
        f"/v1/sessions/{first['session_id']}/turns", headers=stack.headers()
    )
    assert [turn["message"] for turn in page.json()["turns"]] == ["하나", "둘"]
    assert [turn["number"] for turn in page.json()["turns"]] == [1, 2]


@pytest.mark.requirement("WM7")
async def test_a_client_may_bring_its_own_history(databases: Databases) -> None:
    models = ScriptedModels({ModelRole.LITE: ["첫 답", "둘째 답"]})
    async with new_stack(databases, Fakes(models=models)) as stack:
        await stack.say("세션의 말", **{"Saegim-Session": "s"})
        history = [
            {"role": "user", "content": f"옛 질문 {n}"}
            if n % 2 == 0
            else {"role": "assistant", "summary": f"옛 답 {n}", "refs": ["FAQ"], "doc_ids": ["1"]}
            for n in range(14)
        ]
        response = await stack.http.post(
            "/v1/chat",
            json={"message": "지금 질문", "chat_history": history},
            headers=stack.headers(**{"Saegim-Session": "s"}),
        )

    assert response.status_code == 200
    *before, last = [message.text for message in models.requests[-1].messages]
    assert before == [f"옛 질문 {n}" if n % 2 == 0 else f"옛 답 {n}\n(FAQ)" for n in range(4, 14)]
    assert without_situation(last) == "지금 질문"


async def test_secrets_and_national_ids_are_masked_before_the_first_write(stack: Stack) -> None:
    reply = await stack.say(
        "제 주민번호는 900101-1234567 이고 키는 sk-abcdefghijklmnopqrstuvwxyz0123"
    )

    stored = await stack.http.get(f"/v1/turns/{reply['turn_id']}", headers=stack.headers())
    assert "900101" not in stored.text
    assert "sk-abc" not in stored.text
    assert "[NATIONAL_ID]" in stored.json()["message"]
    trace = await stack.http.get(f"/v1/turns/{reply['turn_id']}/trace", headers=stack.headers())
    assert set(trace.json()["trace"]["masked"]) == {"national_id", "secret"}


@pytest.mark.requirement("TN9")
async def test_the_trace_tells_blocks_calls_and_timings(databases: Databases) -> None:
    async with new_stack(databases, Fakes(embedder=BundledEmbedder())) as stack:
        reply = await stack.say("안녕하세요")
        path = f"/v1/turns/{reply['turn_id']}/trace"
        response = await stack.http.get(path, headers=stack.headers())
    trace = response.json()["trace"]
    blocks = [
        "system", "pinned", "profile", "recent", "summary", "entities", "memories", "evidence",
        "message",
    ]  # fmt: skip
    assert [block["name"] for block in trace["blocks"]] == blocks
    assert trace["context"]["tokens"] == sum(block["tokens"] for block in trace["blocks"])
    assert trace["context"]["raised"] is False
    assert trace["working_memory"] == {
        "source": "record",
        "completed_turns": 0,
        "summary_version": 0,
        "summarised_through": 0,
    }
    [call] = trace["calls"]
    assert (call["source"], call["fault"], call["role"]) == ("fallback", "not_configured", "lite")
    assert {span["name"] for span in trace["spans"]} >= {"open", "assemble", "answer"}


async def test_unknown_documents_are_ignored_and_named_in_the_trace(stack: Stack) -> None:
    response = await stack.http.post(
        "/v1/chat",
        json={"message": "이 문서로 다시 답해줘", "selected_doc_ids": ["gcb-1"]},
        headers=stack.headers(),
    )
    turn = response.json()["turn_id"]
    trace = await stack.http.get(f"/v1/turns/{turn}/trace", headers=stack.headers())
    assert trace.json()["trace"]["rejected_doc_ids"] == ["gcb-1"]


@pytest.mark.parametrize(
    ("message", "status", "code"),
    [("  \n", 422, "invalid"), ("가나다 " * 8_001, 413, "too_large")],
)
async def test_a_message_that_cannot_be_a_turn_is_refused(
    stack: Stack, message: str, status: int, code: str
) -> None:
    response = await stack.http.post("/v1/chat", json={"message": message}, headers=stack.headers())
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["request_id"] == response.headers["x-request-id"]


async def test_errors_speak_korean_and_english(stack: Stack) -> None:
    wrong = {"Authorization": "Bearer nonsense"}
    english = await stack.http.post("/v1/chat", json={"message": "안녕"}, headers=wrong)
    korean = await stack.http.post(
        "/v1/chat", json={"message": "hi"}, headers=wrong | {"Accept-Language": "ko-KR,en;q=0.8"}
    )
    assert korean.status_code == english.status_code == 401
    assert "키" in korean.json()["title"]
    assert "key" in english.json()["title"]


async def test_a_session_id_of_someone_else_is_not_found(stack: Stack) -> None:
    reply = await stack.say("앨리스의 말")
    response = await stack.http.post(
        "/v1/chat",
        json={"message": "밥의 말"},
        headers=stack.headers("bob", **{"Saegim-Session": reply["session_id"]}),
    )
    assert response.status_code == 404
