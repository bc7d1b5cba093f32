"""OpenAI's own package, and LangChain on it, against the started server."""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import openai
import pytest
from langchain_openai import ChatOpenAI
from pydantic import SecretStr
from pydantic_ai.exceptions import ModelHTTPError

from saegim.app.infrastructure import Fakes
from saegim.chat.escalation import DraftAnswer, SelfScore
from saegim.llm.ports import ModelRole
from saegim.testing.models import Pieces, RecordedRequest, Reply, Script, ScriptedModels
from tests.integration.library.conftest import GUIDE, bring_in
from tests.stack import Databases, Stack, new_stack, served

pytestmark = pytest.mark.requirement("CH1")

ANSWER = "예약 인스턴스로 최대 72% 할인을 받습니다 [1]."


@dataclass
class ServedStack:
    """A served stack with OpenAI's client; the model repeats a cited answer."""

    stack: Stack
    models: ScriptedModels
    sender: openai.AsyncOpenAI

    def client(self, **headers: str) -> openai.AsyncOpenAI:
        named = {"Saegim-User": "alice", **headers}
        return self.sender.with_options(default_headers=named)

    def last_shown(self) -> RecordedRequest:
        return self.models.requests[-1]


@contextlib.asynccontextmanager
async def new_library_stack(databases: Databases, script: Script) -> AsyncIterator[ServedStack]:
    models = ScriptedModels({ModelRole.STRONG: script, ModelRole.LITE: script})
    async with (
        new_stack(databases, Fakes(models=models)) as stack,
        served(stack.services) as http,
        openai.AsyncOpenAI(
            base_url=f"{http.base_url}/v1", api_key=stack.tenant.key, max_retries=0, timeout=120
        ) as client,
    ):
        await stack.services.warm_up()
        yield ServedStack(stack, models, client)


def answers(shown: RecordedRequest) -> Reply:
    if "self_score" in shown.system:
        return DraftAnswer(draft="", self_score=SelfScore(), needs_strong_model=True)
    return Pieces(tuple(ANSWER), pause_seconds=0.0)


@pytest.fixture(scope="module")
async def served_stack(databases: Databases) -> AsyncIterator[ServedStack]:
    async with new_library_stack(databases, answers) as served_stack:
        await bring_in(served_stack.stack, {"ec2.md": GUIDE})
        yield served_stack


QUESTION = "예약 인스턴스 할인율은?"


async def test_an_answer_has_the_citations_of_the_native_route(served_stack: ServedStack) -> None:
    native = await served_stack.stack.say(QUESTION)
    whole = await served_stack.client().chat.completions.create(
        model="gpt-4o", messages=[{"role": "user", "content": QUESTION}]
    )

    extra: dict[str, Any] = whole.model_extra or {}
    assert whole.choices[0].message.content == native["answer"]
    assert whole.choices[0].finish_reason == "stop"
    assert extra["citations"] == native["citations"] != []
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
        {"tools": [{"type": "function", "function": {"name": "f", "parameters": {}}}]},
        {"n": 2},
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


async def test_models_are_assistants(served_stack: ServedStack) -> None:
    own = str(served_stack.stack.tenant.assistant.id)
    client = served_stack.client()
    listed = [model async for model in client.models.list()]

    assert [model.id for model in listed] == [own]
    assert (await client.models.retrieve(own)).id == own
    with pytest.raises(openai.NotFoundError):
        await client.models.retrieve("0190" + own[4:])
    with pytest.raises(openai.NotFoundError):
        await client.chat.completions.create(
            model="0190" + own[4:], messages=[{"role": "user", "content": "안녕"}]
        )


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


async def test_langchain_holds_a_conversation_of_three_turns(served_stack: ServedStack) -> None:
    chat = ChatOpenAI(
        model="saegim",
        base_url=str(served_stack.sender.base_url),
        api_key=SecretStr(served_stack.stack.tenant.key),
        default_headers={"Saegim-User": "bob", "Saegim-Session": "langchain"},
        max_retries=0,
        timeout=120,
    )
    # Another user, so that no earlier turn is recalled.
    native = await served_stack.stack.say(QUESTION, "carol")
    first = await chat.ainvoke("제 서버 이름은 지리입니다")
    pieces = [piece async for piece in chat.astream(QUESTION)]
    await chat.ainvoke("제 서버 이름이 뭐라고 했죠?")
    said = " ".join(message.text for message in served_stack.last_shown().messages)
    await chat.root_async_client.close()
    chat.root_client.close()

    assert first.content
    assert "".join(str(piece.content) for piece in pieces) == native["answer"]
    assert "제 서버 이름은 지리입니다" in said
