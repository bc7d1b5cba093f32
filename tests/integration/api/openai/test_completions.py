"""OpenAI's own package against the started server."""

from typing import Any

import openai
import pytest
from pydantic_ai.exceptions import ModelHTTPError

from benchmarks.doubles.models import Pieces
from tests.integration.api.openai.conftest import QUESTION, ServedStack, new_library_stack
from tests.stack import Databases

pytestmark = pytest.mark.requirement("CH1")


async def test_an_answer_has_the_citations_of_the_native_route(served_stack: ServedStack) -> None:
    native = await served_stack.stack.say(QUESTION)
    whole = await served_stack.client().chat.completions.create(
        model="gpt-4o", messages=[{"role": "user", "content": QUESTION}]
    )

    extra: dict[str, Any] = whole.model_extra or {}
    assert whole.choices[0].message.content == native["answer"]
    assert whole.choices[0].finish_reason == "stop"
    assert extra["citations"] == native["citations"] != []
    assert extra["effects"] == []
    trace = await served_stack.stack.http.get(
        f"/v1/turns/{extra['trace_id']}/trace", headers=served_stack.stack.headers()
    )
    assert trace.json()["turn_id"] == extra["trace_id"]


async def test_a_stream_brings_the_same_text_and_citations_in_pieces(
    served_stack: ServedStack,
) -> None:
    native = await served_stack.stack.say(QUESTION)
    stream = await served_stack.client().chat.completions.create(
        model="saegim",
        messages=[{"role": "user", "content": QUESTION}],
        stream=True,
        stream_options={"include_usage": True},
    )
    chunks = [chunk async for chunk in stream]

    spoken = [chunk for chunk in chunks if chunk.choices]
    text = "".join(chunk.choices[0].delta.content or "" for chunk in spoken)
    assert text == native["answer"]
    assert len(spoken) > 3
    assert spoken[-1].choices[0].finish_reason == "stop"
    assert (spoken[-1].model_extra or {})["citations"] == native["citations"]
    assert chunks[-1].usage is not None
    assert chunks[-1].usage.total_tokens > 0
    assert len({chunk.id for chunk in chunks}) == 1


async def test_without_a_session_the_messages_are_the_history_and_one_is_recorded(
    served_stack: ServedStack,
) -> None:
    whole = await served_stack.client().chat.completions.create(
        model="saegim",
        messages=[
            {"role": "user", "content": "제 서버 이름은 한라입니다"},
            {"role": "assistant", "content": "기억했습니다: 한라"},
            {"role": "user", "content": "제 서버 이름이 뭐였죠?"},
        ],
    )
    said = [message.text for message in served_stack.last_shown().messages]
    extra = whole.model_extra or {}
    turns = await served_stack.stack.http.get(
        f"/v1/sessions/{extra['session_id']}/turns", headers=served_stack.stack.headers()
    )

    assert any("제 서버 이름은 한라입니다" in text for text in said)
    assert any("기억했습니다: 한라" in text for text in said)
    assert [turn["message"] for turn in turns.json()["turns"]] == ["제 서버 이름이 뭐였죠?"]


async def test_in_a_session_the_server_remembers_what_the_client_leaves_out(
    served_stack: ServedStack,
) -> None:
    client = served_stack.client(**{"Saegim-Session": "three-turns"})
    replies = [
        await client.chat.completions.create(
            model="saegim", messages=[{"role": "user", "content": message}]
        )
        for message in (
            "제 고양이는 보리입니다",
            "보리는 세 살이에요",
            "고양이 이름이 뭐라고 했죠?",
        )
    ]
    said = " ".join(message.text for message in served_stack.last_shown().messages)

    assert len({(reply.model_extra or {})["session_id"] for reply in replies}) == 1
    assert "제 고양이는 보리입니다" in said
    assert "보리는 세 살이에요" in said


async def test_a_system_message_stands_after_the_persona(served_stack: ServedStack) -> None:
    await served_stack.client().chat.completions.create(
        model="saegim",
        messages=[
            {"role": "system", "content": "항상 존댓말로 답하세요."},
            {"role": "user", "content": [{"type": "text", "text": QUESTION}]},
        ],
    )
    shown, persona = served_stack.last_shown().system, served_stack.stack.tenant.assistant.persona

    assert persona in shown
    assert shown.index(persona) < shown.index("항상 존댓말로 답하세요.")


@pytest.mark.parametrize(
    "more",
    [
        {"tools": [{"type": "web_search"}]},
        {"functions": [{"name": "f"}]},
        {"n": 2},
        {"logprobs": True},
        {"logit_bias": {"50256": -100}},
        {"function_call": {"name": "f"}},
        {"tool_choice": "required"},
        {"tool_choice": "banana"},
        {"tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": []}}},
        {"response_format": {"type": "json_object"}},
        {
            "messages": [
                {
                    "role": "user",
                    "content": [{"type": "image_url", "image_url": {"url": "https://a.com/b.png"}}],
                }
            ]
        },
    ],
)
async def test_what_is_not_offered_is_refused_with_a_code(
    served_stack: ServedStack, more: Any
) -> None:
    asked = {"model": "saegim", "messages": [{"role": "user", "content": "안녕"}]} | more
    with pytest.raises(openai.BadRequestError) as refused:
        await served_stack.client().chat.completions.create(**asked)

    assert refused.value.code == "unsupported"
    named: dict[str, str] = {"messages": "content"}
    assert any(named.get(str(name), str(name)) in str(refused.value) for name in more)


async def test_instructions_are_bounded(served_stack: ServedStack) -> None:
    with pytest.raises(openai.APIStatusError) as refused:
        await served_stack.client().chat.completions.create(
            model="saegim",
            messages=[
                {"role": "system", "content": "가나다라 " * 2_000},
                {"role": "user", "content": "안녕"},
            ],
        )

    assert (refused.value.status_code, refused.value.code) == (413, "too_large")


async def test_a_body_nested_too_deeply_is_refused(served_stack: ServedStack) -> None:
    headers = served_stack.stack.headers() | {"content-type": "application/json"}
    response = await served_stack.stack.http.post(
        "/v1/chat/completions", content=b"[" * 100_000, headers=headers
    )

    assert response.status_code == 400


async def test_models_are_assistants(served_stack: ServedStack) -> None:
    own = str(served_stack.stack.tenant.assistant.id)
    client = served_stack.client()
    listed = [model async for model in client.models.list()]

    assert [model.id for model in listed] == ["새김-상사"]
    assert (await client.models.retrieve(own)).id == "새김-상사"
    assert (await client.models.retrieve("새김-상사")).id == "새김-상사"
    with pytest.raises(openai.NotFoundError):
        await client.models.retrieve("0190" + own[4:])
    with pytest.raises(openai.NotFoundError):
        await client.chat.completions.create(
            model="0190" + own[4:], messages=[{"role": "user", "content": "안녕"}]
        )


async def test_models_are_listed_for_a_key_that_acts_for_users_and_names_none(
    served_stack: ServedStack,
) -> None:
    listed = [model async for model in served_stack.sender.models.list()]
    members = await served_stack.stack.http.get(
        "/v1/members", headers=served_stack.stack.headers("admin")
    )

    assert [model.id for model in listed] == ["새김-상사"]
    with pytest.raises(openai.UnprocessableEntityError):
        await served_stack.sender.chat.completions.create(
            model="saegim", messages=[{"role": "user", "content": "안녕"}]
        )
    key = (await served_stack.stack.caller("admin")).key
    assert str(key) not in {each["member_id"] for each in members.json()["members"]}


async def test_a_model_that_is_named_is_the_assistant_that_answers(
    served_stack: ServedStack,
) -> None:
    stack = served_stack.stack
    content = {"name": "법무 도우미", "persona": "법을 안다", "config": {"offered_to": []}}
    made = await stack.http.post("/v1/assistants", json=content, headers=stack.headers("admin"))
    listed = [model.id async for model in served_stack.client().models.list()]
    whole = await served_stack.client().chat.completions.create(
        model="법무-도우미", messages=[{"role": "user", "content": "안녕"}]
    )

    assert made.is_success, made.text
    assert listed == ["새김-상사", "법무-도우미"]
    assert whole.model == "법무-도우미"
    assert "법을 안다" in served_stack.last_shown().system
    await stack.http.put(
        f"/v1/assistants/{made.json()['assistant_id']}/draft",
        json=content | {"config": {}},
        headers=stack.headers("admin"),
    )


async def test_user_is_the_user_of_a_key_that_acts_for_users(served_stack: ServedStack) -> None:
    whole = await served_stack.sender.chat.completions.create(
        model="saegim", messages=[{"role": "user", "content": "안녕"}], user="erin"
    )
    session = (whole.model_extra or {})["session_id"]
    turns = f"/v1/sessions/{session}/turns"
    stack = served_stack.stack

    assert (await stack.http.get(turns, headers=stack.headers("erin"))).status_code == 200
    assert (await stack.http.get(turns, headers=stack.headers("alice"))).status_code == 404


async def test_a_key_of_one_user_ignores_user(served_stack: ServedStack) -> None:
    stack = served_stack.stack
    key = await stack.services.auth.tenants.create_key(
        stack.tenant.tenant.id, stack.tenant.assistant.id, "k", user="frank"
    )
    whole = await served_stack.sender.with_options(api_key=key).chat.completions.create(
        model="saegim", messages=[{"role": "user", "content": "안녕"}], user="erin"
    )
    turns = f"/v1/sessions/{(whole.model_extra or {})['session_id']}/turns"

    assert (await stack.http.get(turns, headers=stack.headers("frank"))).status_code == 200
    assert (await stack.http.get(turns, headers=stack.headers("erin"))).status_code == 404


async def test_a_wrong_key_is_an_authentication_error(served_stack: ServedStack) -> None:
    with pytest.raises(openai.AuthenticationError) as refused:
        await served_stack.sender.with_options(api_key="sk-none").models.list()

    assert refused.value.code == "unauthenticated"


async def test_an_answer_that_breaks_off_says_so(databases: Databases) -> None:
    dies = Pieces(("반쯤 ", "답했는데 "), death=ModelHTTPError(500, "scripted"))
    async with new_library_stack(databases, lambda _: dies) as served_stack:
        whole = await served_stack.client().chat.completions.create(
            model="saegim", messages=[{"role": "user", "content": "안녕"}]
        )

    assert whole.choices[0].message.content == "반쯤 답했는데 "
    assert whole.choices[0].finish_reason == "length"
