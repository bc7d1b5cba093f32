"""A LangGraph agent with a scripted model, on our store and our retriever."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, TypedDict
from urllib.parse import quote

import pytest
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore, SearchItem

from saegim.client import BlockingClient, Done, SaegimClient, Token
from saegim.integrations.langchain import SaegimRetriever
from saegim.integrations.langgraph import SaegimStore
from tests.integration.library.conftest import GUIDE, bring_in, search
from tests.stack import Databases, Stack, new_stack, served

pytestmark = pytest.mark.requirement("CH1")

FOODS = ("users", "앨리스", "음식")


@dataclass
class ServedStack:
    stack: Stack
    client: BlockingClient
    url: str

    def other(self, user: str) -> BlockingClient:
        return BlockingClient(SaegimClient(self.url, self.stack.tenant.key, user=user))


@pytest.fixture(scope="module")
async def served_stack(databases: Databases) -> AsyncIterator[ServedStack]:
    async with new_stack(databases) as stack, served(stack.services) as http:
        await stack.services.warm_up()
        await bring_in(stack, {"ec2.md": GUIDE})
        url = str(http.base_url)
        client = BlockingClient(SaegimClient(url, stack.tenant.key, user="앨리스"))
        await run_blocking(client.__enter__)
        yield ServedStack(stack, client, url)
        await run_blocking(lambda: client.__exit__(None, None, None))


async def run_blocking(work: Any, *arguments: Any) -> Any:
    """As a script would: in a thread without a loop, since this one serves."""
    return await asyncio.to_thread(work, *arguments)


async def test_what_is_put_is_there_and_gone_when_it_is_deleted(served_stack: ServedStack) -> None:
    store = SaegimStore(served_stack.client)
    key = "0190aaaa-1234-5678-9012-123456789012"
    await store.aput(FOODS, key, {"memory": "매운 음식을 좋아한다", "heat": 3, "with": ["밥"]})
    first = await store.aget(FOODS, key)
    await store.aput(FOODS, key, {"memory": "매운 음식을 못 먹는다", "heat": 0})
    second = await store.aget(FOODS, key)
    await store.adelete(FOODS, key)
    third = await store.aget(FOODS, key)
    await store.aput(FOODS, key, {"memory": "다시"})
    fourth = await store.aget(FOODS, key)
    await store.adelete(FOODS, key)

    assert first is not None
    assert first.value == {"memory": "매운 음식을 좋아한다", "heat": 3, "with": ["밥"]}
    assert (first.namespace, first.key) == (FOODS, key)
    assert second is not None
    assert second.value["heat"] == 0
    assert second.created_at == first.created_at
    assert third is None
    assert fourth is not None
    assert fourth.value == {"memory": "다시"}


async def test_search_is_by_meaning_prefix_and_filter(served_stack: ServedStack) -> None:
    store = SaegimStore(served_stack.client)
    told = {
        ("사실", "집"): {"text": "부산 해운대에 산다", "year": 2024},
        ("사실", "일"): {"text": "반도체 장비를 고친다", "year": 2020},
        ("취향", "음악"): {"text": "재즈 피아노를 듣는다", "year": 2022},
    }
    for (part, key), value in told.items():
        await store.aput(("찾기", part), key, value)
    asked = await store.asearch(("찾기",), query="해운대에 사나요?", limit=2)
    prefixed = await store.asearch(("찾기", "취향"))
    filtered = await store.asearch(("찾기",), filter={"year": {"$gte": 2021}})
    spaces = await store.alist_namespaces(prefix=("찾기",))

    assert asked[0].key == "집"
    assert asked[0].score is not None
    assert [each.key for each in prefixed] == ["음악"]
    assert {each.key for each in filtered} == {"집", "음악"}
    assert spaces == [("찾기", "사실"), ("찾기", "취향")]


async def test_it_works_without_a_loop_and_the_person_sees_what_is_kept(
    served_stack: ServedStack,
) -> None:
    store = SaegimStore(served_stack.client)

    def script() -> SearchItem:
        store.put(("동기",), "k", {"text": "고양이 이름은 보리"})
        return store.search(("동기",))[0]

    found = await run_blocking(script)
    listed = await served_stack.stack.http.get(
        "/v1/memories",
        params={"q": "보리"},
        headers=served_stack.stack.headers(quote("앨리스")),
    )

    assert found.value == {"text": "고양이 이름은 보리"}
    assert len(listed.json()["memories"]) == 1


async def test_a_number_that_masking_breaks_is_refused_not_kept_broken(
    served_stack: ServedStack,
) -> None:
    store = SaegimStore(served_stack.client)
    with pytest.raises(ValueError, match="personal data"):
        await store.aput(("번호",), "card", {"card": 4111111111111111})

    assert await store.asearch(("번호",)) == []


async def test_another_user_finds_nothing_in_the_same_namespace(served_stack: ServedStack) -> None:
    await SaegimStore(served_stack.client).aput(("같은",), "k", {"text": "비밀"})

    def look() -> tuple[Any, Any]:
        with served_stack.other("밥") as client:
            store = SaegimStore(client)
            return store.get(("같은",), "k"), store.search(("같은",), query="비밀")

    assert await run_blocking(look) == (None, [])


class State(TypedDict):
    question: str
    answer: str


async def test_an_agent_answers_from_the_documents_and_remembers(served_stack: ServedStack) -> None:
    shown: list[list[BaseMessage]] = []
    model = GenericFakeChatModel(messages=iter([AIMessage("72%까지 할인됩니다.")] * 2))
    retriever = SaegimRetriever(client=served_stack.client)

    async def answer(state: State, *, store: BaseStore) -> dict[str, str]:
        known = await store.asearch(("agent",), query=state["question"])
        found = await retriever.ainvoke(state["question"])
        prompt: list[BaseMessage] = [
            SystemMessage("\n".join(each.page_content for each in found)),
            SystemMessage("\n".join(str(each.value["text"]) for each in known)),
            HumanMessage(state["question"]),
        ]
        shown.append(prompt)
        said = await model.ainvoke(prompt)
        await store.aput(("agent",), state["question"], {"text": f"물었다: {state['question']}"})
        return {"answer": str(said.content)}

    graph = StateGraph(State)
    graph.add_node("answer", answer)  # pyright: ignore[reportUnknownMemberType, reportArgumentType] - LangGraph's own types
    graph.add_edge(START, "answer")
    graph.add_edge("answer", END)
    agent = graph.compile(store=SaegimStore(served_stack.client))
    question = "예약 인스턴스 할인은 얼마나?"
    await agent.ainvoke({"question": question, "answer": ""})
    again = await agent.ainvoke({"question": "예약 인스턴스 할인을 전에 물었나?", "answer": ""})
    native = await search(served_stack.stack, question)

    documents, _, _ = shown[0]
    assert native["found"][0]["text"] in str(documents.content)
    assert f"물었다: {question}" in str(shown[1][1].content)
    assert again["answer"] == "72%까지 할인됩니다."


async def test_the_blocking_client_chats_streams_and_recalls(served_stack: ServedStack) -> None:
    def script() -> tuple[str, str, int]:
        client = served_stack.client
        whole = client.chat("예약 인스턴스 할인율은?")
        events = list(client.stream("예약 인스턴스 할인율은?"))
        text = "".join(event.text for event in events if isinstance(event, Token))
        assert isinstance(events[-1], Done)
        client.remember("피아노를 배운다")
        return whole.answer, text, len(client.recall("피아노").records)

    answer, streamed, recalled = await run_blocking(script)

    assert answer == streamed
    assert recalled >= 1
