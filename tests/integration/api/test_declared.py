"""The headers of the OpenAPI document are those that are sent and heeded: ETag, If-Match, Link."""

import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2
import pytest

from saegim.api.app import create_app
from saegim.client import SaegimClient, VersionConflict
from tests.stack import Databases, Stack, new_stack, served

pytestmark = pytest.mark.requirement("CH1")

# What changes something for good, or takes longer than it tells anything.
LEFT_OUT = {("DELETE", path) for path in ("/v1/memories/{memory_id}",)}
GUILD = {"Saegim-Guild": "100"}


@pytest.fixture(scope="module")
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    async with new_stack(databases) as running:
        yield running


async def made(stack: Stack) -> dict[str, str]:
    """Something of each kind that people edit, by the name that paths have for its id."""
    headers = stack.headers("admin", **GUILD)

    async def post(path: str, body: dict[str, Any]) -> dict[str, Any]:
        response = await stack.http.post(path, json=body, headers=headers)
        assert response.is_success, response.text
        return response.json()

    memory = await post("/v1/memories", {"content": "땅콩 알레르기가 있다"})
    collection = await post("/v1/collections", {"name": f"법무 {memory['memory_id']}"})
    assistant = str(stack.tenant.assistant.id)
    draft = {"name": "bot", "persona": "친절하다"}
    path = f"/v1/assistants/{assistant}/draft"
    assert (await stack.http.put(path, json=draft, headers=headers)).is_success
    return {
        "memory_id": memory["memory_id"],
        "collection_id": collection["collection_id"],
        "assistant_id": assistant,
    }


@pytest.fixture(scope="module")
def document(stack: Stack) -> dict[str, Any]:
    return create_app(stack.services).openapi()


def operations(
    document: dict[str, Any], ids: dict[str, str]
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every operation that reads or edits and needs no other ids."""
    for path, found in document["paths"].items():
        for method, operation in found.items():
            edits = _takes_if_match(operation)
            if (method == "get" or edits) and set(re.findall(r"\{(\w+)\}", path)) <= ids.keys():
                yield method.upper(), path, operation


def _takes_if_match(operation: dict[str, Any]) -> bool:
    return any(each["name"] == "if-match" for each in operation.get("parameters", []))


def _declared(operation: dict[str, Any]) -> set[str]:
    good = next(each for status, each in operation["responses"].items() if status < "3")
    return set(good.get("headers", {}))


def _example(document: dict[str, Any], operation: dict[str, Any]) -> Any:
    """The first example of the operation's body, None where it takes none."""
    content = operation.get("requestBody", {}).get("content", {})
    if not content:
        return None
    name = content["application/json"]["schema"]["$ref"].rpartition("/")[2]
    return document["components"]["schemas"][name]["examples"][0]


async def _send(stack: Stack, method: str, path: str, body: Any, **headers: str) -> httpx2.Response:
    given = stack.headers("admin", **GUILD, **headers)
    return await stack.http.request(method, path, json=body, headers=given)


async def test_what_is_declared_is_sent_and_nothing_else(
    stack: Stack, document: dict[str, Any]
) -> None:
    ids = await made(stack)
    told, wrong = dict[str, set[str]](), list[str]()
    for method, path, operation in operations(document, ids):
        response = await _send(stack, method, path.format(**ids), _example(document, operation))
        if response.is_success:
            declared = _declared(operation)
            sent = {name for name in ("ETag", "Link") if name in response.headers}
            told[f"{method} {path}"] = declared
            # A page that is the last names no other.
            if sent | {"Link"} != declared | {"Link"} or not sent <= declared:
                wrong.append(f"{method} {path} declares {declared} and sends {sent}")
    tagged = {name for name, declared in told.items() if "ETag" in declared}

    assert wrong == []
    assert len(told) > 30
    assert tagged == {
        f"{method} {path}"
        for method, path, operation in operations(document, ids)
        if "ETag" in _declared(operation)
    }, "each of them was asked for with success"
    assert {name for name in told if "Link" in told[name]} == {"GET /v1/keys", "GET /v1/erasures"}


async def test_what_takes_if_match_refuses_another_one(
    stack: Stack, document: dict[str, Any]
) -> None:
    ids = await made(stack)
    heeded: dict[str, int] = {}
    for method, path, operation in operations(document, ids):
        if _takes_if_match(operation):
            body = _example(document, operation)
            response = await _send(
                stack, method, path.format(**ids), body, **{"If-Match": '"another"'}
            )
            heeded[f"{method} {path}"] = response.status_code
            assert "412" in operation["responses"]

    assert len(heeded) == 10
    assert set(heeded.values()) == {412}, heeded


async def test_the_client_sends_it_and_tells_a_change_by_its_type(stack: Stack) -> None:
    ids = await made(stack)
    async with (
        served(stack.services) as http,
        SaegimClient(str(http.base_url), stack.tenant.key, user="admin") as client,
    ):
        read = await client.memories.get(ids["memory_id"])  # type: ignore[arg-type] - its text
        first = await client.memories.correct(read.memory_id, if_match=read.etag, content="호두")
        with pytest.raises(VersionConflict) as refused:
            await client.memories.correct(read.memory_id, if_match=read.etag, content="새우")
        with pytest.raises(VersionConflict):
            await client.memories.roll_back(read.memory_id, 1, if_match=read.etag)
        back = await client.memories.roll_back(read.memory_id, 1, if_match=first.etag)
        guild = await client.guild("100")
        changed = await client.change_guild("100", if_match=guild.etag, persona="밝다")
        with pytest.raises(VersionConflict):
            await client.change_guild("100", if_match=guild.etag, persona="어둡다")
        assistant = stack.tenant.assistant.id
        versions = await client.assistant_versions(assistant)
        draft = {"name": "bot", "persona": "차분하다"}
        await client.draft_assistant(assistant, draft, if_match=versions.etag)
        with pytest.raises(VersionConflict):
            await client.draft_assistant(assistant, draft, if_match=versions.etag)
        with pytest.raises(VersionConflict):
            await client.publish_assistant(assistant, if_match=versions.etag)

    assert (refused.value.status, refused.value.code) == (412, "changed")
    assert (first.content, back.content) == ("호두", "땅콩 알레르기가 있다")
    assert changed.persona == "밝다"
    assert versions[0].state == "draft"
