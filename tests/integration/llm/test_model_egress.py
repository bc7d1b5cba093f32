"""What leaves to a provider: types of memories, pinned facts, and names as placeholders."""

import json
import re
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest

from benchmarks.doubles.providers import BrokenProvider, ProviderMode
from saegim.app.infrastructure import Fakes
from saegim.llm.bundled_embedders import BundledEmbedder
from tests.outside_model import connection_to
from tests.stack import Databases, Stack, new_stack

LOOPBACK = {"model_private_networks": ["127.0.0.0/8"]}
CHILD = "우리 딸 서윤이는 땅콩 알레르기가 있어"
BUDGET = "딸 생일 선물 예산은 30만원이야"
LIMIT = "딸 선물은 택배로만 받을 수 있어"
PINNED = "내 담당 의사는 박지훈 선생님이야"
TEA = {"type": "preference", "content": "아침에 홍차를 마신다", "quote": "아침에 홍차를 마셔"}
QUESTION = "우리 딸 생일 선물로 뭘 준비할까? 알레르기도 생각해 줘"


@pytest.fixture
async def provider() -> AsyncIterator[BrokenProvider]:
    async with BrokenProvider(text="Person1은 땅콩을 피해야 합니다.") as server:
        yield server


@pytest.fixture
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    async with new_stack(databases, settings=LOOPBACK) as made:
        yield made


async def call(
    stack: Stack, method: str, path: str, body: object = None, user: str = "alice"
) -> Any:
    response = await stack.http.request(method, path, json=body, headers=stack.headers(user))
    assert response.is_success, response.text
    return response.json() if response.content else None


async def connected(stack: Stack, provider: BrokenProvider) -> str:
    """Connect a provider and remember three facts; return the connection."""
    body = connection_to(provider)
    connection = await call(stack, "POST", "/v1/model-connections", body, "admin")
    for content, kind in ((CHILD, "constraint"), (BUDGET, "fact")):
        await call(stack, "POST", "/v1/memories", {"content": content, "type": kind})
    pinned = await call(stack, "POST", "/v1/memories", {"content": PINNED, "type": "profile"})
    await call(stack, "PUT", f"/v1/memories/{pinned['memory_id']}/pin", {"pinned": True})
    return str(connection["connection_id"])


async def limit(stack: Stack, connection: str, **policy: object) -> dict[str, Any]:
    path = f"/v1/model-connections/{connection}/egress"
    return await call(stack, "PUT", path, policy, "admin")


async def ask(
    stack: Stack, provider: BrokenProvider, **request: Any
) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Ask the question; return what the provider got, the reply and the trace."""
    provider.requests.clear()
    reply = await call(stack, "POST", "/v1/chat", {"message": QUESTION, **request})
    trace = await call(stack, "GET", f"/v1/turns/{reply['turn_id']}/trace")
    sent = "\n".join(json.dumps(each.body, ensure_ascii=False) for each in provider.requests)
    return sent, reply, trace["trace"]


@pytest.mark.requirement("TN13")
async def test_by_default_everything_leaves(stack: Stack, provider: BrokenProvider) -> None:
    await connected(stack, provider)
    sent, _, trace = await ask(stack, provider)

    assert all(words in sent for words in (CHILD, BUDGET, PINNED))
    assert trace["egress"] == {
        "records": {"constraint": 1, "fact": 1, "profile": 1},
        "pinned": 2,
        "withheld": 0,
    }
    [answer] = [each for each in trace["calls"] if each["step"] == "answer"]
    assert (answer["connection"], answer["pseudonyms"]) == ("outside", 0)


@pytest.mark.requirement("TN13")
async def test_withheld_types_and_pinned_facts_do_not_leave(
    stack: Stack, provider: BrokenProvider
) -> None:
    connection = await connected(stack, provider)
    changed = await limit(stack, connection, withheld_types=["constraint"], withholds_pinned=True)
    sent, _, trace = await ask(stack, provider)

    assert changed["withheld_types"] == ["constraint"]
    assert changed["withholds_pinned"]
    assert BUDGET in sent
    assert "땅콩" not in sent
    assert "박지훈" not in sent
    assert trace["egress"] == {"records": {"fact": 1}, "pinned": 0, "withheld": 2}
    fates = {each["fate"] for each in trace["items"] if each["kind"] == "memory"}
    assert fates - {"below_the_rest"} == {"injected", "withheld"}


@pytest.mark.requirement("TN13")
async def test_names_leave_as_placeholders_and_come_back(
    stack: Stack, provider: BrokenProvider
) -> None:
    connection = await connected(stack, provider)
    await limit(stack, connection, uses_pseudonyms=True)
    first, reply, _ = await ask(stack, provider)
    [placeholder, *_] = re.findall(r"Person\d+", first)
    provider.text = f"{placeholder}은 땅콩을 피해야 합니다."
    sent, reply, trace = await ask(stack, provider, session_id=reply["session_id"])

    assert "서윤" not in first + sent
    assert "박지훈" not in first + sent
    assert "땅콩" in sent
    assert placeholder in sent
    assert placeholder not in reply["answer"]
    assert "서윤" in reply["answer"] or "박지훈" in reply["answer"]
    [answer] = [each for each in trace["calls"] if each["step"] == "answer"]
    assert answer["pseudonyms"] == 2


async def test_fallback_still_quotes_what_does_not_leave(
    databases: Databases, provider: BrokenProvider
) -> None:
    fakes = Fakes(embedder=BundledEmbedder())
    async with new_stack(databases, fakes, settings=LOOPBACK) as stack:
        await _quotes_what_does_not_leave(stack, provider)


async def _quotes_what_does_not_leave(stack: Stack, provider: BrokenProvider) -> None:
    connection = await connected(stack, provider)
    everything = ["fact", "constraint", "profile", "episode"]
    await limit(stack, connection, withheld_types=everything, withholds_pinned=True)
    provider.requests.clear()
    provider.mode = ProviderMode.HTTP_500
    reply = await stack.say("우리 딸 알레르기가 뭐였지?")
    assert "땅콩" in reply["answer"]
    assert provider.requests
    assert all(
        "땅콩" not in json.dumps(each.body, ensure_ascii=False) for each in provider.requests
    )


async def test_unknown_types_and_connections_are_refused(
    stack: Stack, provider: BrokenProvider
) -> None:
    connection = await connected(stack, provider)
    for path, body, status in (
        (connection, {"withheld_types": ["secrets"]}, 422),
        ("01900000-0000-7000-8000-000000000000", {}, 404),
    ):
        response = await stack.http.put(
            f"/v1/model-connections/{path}/egress", json=body, headers=stack.headers("admin")
        )
        assert response.status_code == status


@pytest.mark.requirement("TN13")
async def test_a_preview_shows_only_what_may_leave(stack: Stack, provider: BrokenProvider) -> None:
    connection = await connected(stack, provider)
    await call(stack, "POST", "/v1/memories", {"content": LIMIT, "type": "decision"})
    before = await call(stack, "POST", "/v1/preview", {"message": QUESTION})
    withheld = ["constraint", "decision"]
    await limit(stack, connection, withheld_types=withheld, withholds_pinned=True)
    after = await call(stack, "POST", "/v1/preview", {"message": QUESTION})

    assert {each["fate"] for each in before["items"]} - {"below_the_rest"} == {"injected", "pinned"}
    fates = {each["fate"] for each in after["items"] if each["kind"] == "memory"}
    assert fates - {"below_the_rest"} == {"injected", "withheld"}
    tokens = [
        {each["name"]: each["tokens"] for each in shown["blocks"]} for shown in (before, after)
    ]
    assert tokens[0]["pinned"] > 0 == tokens[1]["pinned"]
    assert tokens[1]["memories"] < tokens[0]["memories"]


@pytest.mark.requirement("TN13")
async def test_ask_memory_withholds_what_must_not_leave(
    stack: Stack, provider: BrokenProvider
) -> None:
    connection = await connected(stack, provider)
    await limit(stack, connection, withheld_types=["constraint"], withholds_pinned=True)
    provider.requests.clear()
    await call(stack, "POST", "/v1/memory/ask", {"question": "우리 딸에 대해 뭘 알아?"})
    sent = received(provider)
    assert BUDGET in sent
    assert "땅콩" not in sent
    assert "박지훈" not in sent


@pytest.mark.requirement("TN13")
async def test_team_memory_is_withheld_by_its_type(stack: Stack, provider: BrokenProvider) -> None:
    connection = await connected(stack, provider)
    shared = {"content": "딸 생일 선물은 인형으로 결정했어", "type": "decision"}
    await call(stack, "POST", "/v1/team-memory", shared, "bob")
    allowed, _, _ = await ask(stack, provider)
    await limit(stack, connection, withheld_types=["decision"])
    withheld, _, _ = await ask(stack, provider)
    assert "인형" in allowed
    assert "인형" not in withheld
    assert BUDGET in withheld


@pytest.mark.requirement("TN13")
async def test_the_profile_leaves_only_if_every_type_may(
    stack: Stack, provider: BrokenProvider
) -> None:
    connection = await connected(stack, provider)
    hobby = {"content": "주말마다 해운대에서 서핑을 즐긴다", "type": "profile", "topic": "취미"}
    await call(stack, "POST", "/v1/memories", hobby)
    scope = (await stack.caller()).scope
    await stack.services.memory.synthesis.synthesise(scope.tenant, scope.profile)
    allowed, _, _ = await ask(stack, provider)
    await limit(stack, connection, withheld_types=["profile"])
    withheld, _, _ = await ask(stack, provider)
    assert "<user-" in allowed
    assert "해운대" in allowed
    assert "해운대" not in withheld


@pytest.mark.requirement("TN13")
async def test_background_steps_keep_records_from_the_model(
    stack: Stack, provider: BrokenProvider
) -> None:
    """Extraction compares with known records, and synthesis words them: by rule instead."""
    connection = await connected(stack, provider)
    roles = {"connection_id": connection, "roles": ["extractor", "summarizer"], "model": "mine"}
    await call(stack, "PUT", "/v1/model-roles", roles, "admin")
    for content in ("아침에 커피를 마신다", "아침에는 커피를 마신다"):
        body = {"content": content, "type": "preference", "topic": "습관"}
        await call(stack, "POST", "/v1/memories", body)
    scope = (await stack.caller()).scope
    synthesis, extraction = stack.services.memory.synthesis, stack.services.memory.extraction
    everything = ["fact", "constraint", "profile", "preference"]
    await limit(stack, connection, withheld_types=everything)
    provider.requests.clear()
    provider.structured = json.dumps({"statements": [TEA]}, ensure_ascii=False)
    await synthesis.synthesise(scope.tenant, scope.profile)
    reply = await stack.say("나는 이제 아침에 홍차를 마셔")
    await extraction.extract(scope.tenant, UUID(reply["turn_id"]))
    assert "커피" not in received(provider)
    assert "홍차" in received(provider), "the message itself leaves"

    await limit(stack, connection)
    provider.requests.clear()
    provider.structured = json.dumps({"observations": []})
    await synthesis.synthesise(scope.tenant, scope.profile)
    assert "커피" in received(provider), "without a limit the step asks the model"


def received(provider: BrokenProvider) -> str:
    return "\n".join(json.dumps(each.body, ensure_ascii=False) for each in provider.requests)
