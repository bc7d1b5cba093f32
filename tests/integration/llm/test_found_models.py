"""Found models are offered, tested and connected by the API and by `saegim dev`."""

import asyncio
import os
import pty
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.doubles.providers import BrokenProvider, ProviderMode, ToolUse
from saegim.cli.client_target import ClientTarget
from saegim.cli.dev.model_offer import ask_line, can_ask, offer_model
from saegim.domain.scope import Role
from saegim.llm.connections.discovery import ModelDiscovery, ModelServer
from tests.stack import Databases, Stack, new_stack, served

pytestmark = pytest.mark.requirement("OP7")

PATH = "/v1/model-connections"
LOOPBACK = {"model_private_networks": ["127.0.0.0/8"]}
CHOSEN = {"found": "Ollama", "provider": "ollama", "model": "qwen2.5:7b"}
KEY = "sk-test-0123456789-wxyz"


@pytest.fixture
async def provider() -> AsyncIterator[BrokenProvider]:
    async with BrokenProvider(text="모델이 답합니다.") as server:
        server.structured = '{"answer": "OK"}'
        server.models = ("nomic-embed-text", "qwen2.5:7b")
        yield server


@pytest.fixture
def keys(provider: BrokenProvider) -> dict[str, str]:
    """The environment of the server."""
    return {}


@pytest.fixture
async def stack(
    databases: Databases, provider: BrokenProvider, keys: dict[str, str]
) -> AsyncIterator[Stack]:
    servers = (ModelServer("Ollama", "ollama", provider.base_url),)
    async with new_stack(databases, settings=LOOPBACK) as made:
        made.services.llm.connections.discovery = ModelDiscovery(servers, keys)
        yield made


async def found(stack: Stack) -> list[dict[str, Any]]:
    headers = stack.headers("admin")
    return (await stack.http.get(PATH, params={"find": True}, headers=headers)).json()["found"]


async def connected(stack: Stack) -> list[dict[str, Any]]:
    headers = stack.headers("admin")
    return (await stack.http.get(PATH, headers=headers)).json()["connections"]


async def test_found_model_is_listed_tested_and_used(
    stack: Stack, provider: BrokenProvider
) -> None:
    provider.tools = ToolUse.HTTP_400
    [listed] = await found(stack)
    asked = [request.path for request in provider.requests]
    added = await stack.http.post(PATH, json=CHOSEN, headers=stack.headers("admin"))
    reply = await stack.say("너는 뭘 하니?")

    assert listed == {
        "name": "Ollama",
        "provider": "ollama",
        "model": "qwen2.5:7b",
        "base_url": provider.base_url,
        "key_variable": None,
    }
    assert asked == ["/v1/models"]
    assert (added.status_code, added.json()["without_tools"]) == (201, ["qwen2.5:7b"])
    assert added.json()["name"] == "Ollama"
    assert reply["answer"] == "모델이 답합니다."


async def test_servers_are_asked_only_when_models_are_to_be_found(
    stack: Stack, provider: BrokenProvider
) -> None:
    listed = await stack.http.get(PATH, headers=stack.headers("admin"))
    assert listed.json() == {"connections": [], "found": []}
    assert provider.requests == []


@pytest.mark.parametrize(
    "more",
    [
        {"base_url": "https://elsewhere.example/v1"},
        {"api_key": KEY},
        {"connection_id": "01900000-0000-7000-8000-000000000000"},
    ],
)
@pytest.mark.parametrize("path", [PATH, f"{PATH}/test"])
async def test_found_model_takes_no_other_server_or_key(
    stack: Stack, provider: BrokenProvider, path: str, more: dict[str, str]
) -> None:
    refused = await stack.http.post(path, json=CHOSEN | more, headers=stack.headers("admin"))
    assert (refused.status_code, provider.requests) == (422, [])


async def test_nothing_is_stored_if_the_test_fails(stack: Stack, provider: BrokenProvider) -> None:
    headers = stack.headers("admin")
    other = await stack.http.post(PATH, json=CHOSEN | {"model": "b"}, headers=headers)
    tested = await stack.http.post(f"{PATH}/test", json=CHOSEN, headers=headers)
    provider.structured = "no JSON"
    refused = await stack.http.post(PATH, json=CHOSEN, headers=headers)

    assert {(each["model"], each["ok"]) for each in tested.json()["checks"]} == {
        ("qwen2.5:7b", True)
    }
    assert (other.status_code, refused.status_code) == (404, 422)
    assert "the test of qwen2.5:7b failed: " in refused.json()["detail"]
    assert await connected(stack) == []


async def test_key_of_the_environment_is_used_only_when_chosen(
    stack: Stack, provider: BrokenProvider, keys: dict[str, str]
) -> None:
    keys |= {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": provider.base_url}
    listed = await found(stack)
    before = [request.headers.get("authorization") for request in provider.requests]
    chosen = {"found": "OpenAI", "provider": "openai", "model": listed[1]["model"]}
    provider.mode = ProviderMode.HTTP_401
    refused = await stack.http.post(PATH, json=chosen, headers=stack.headers("admin"))
    none = await connected(stack)
    provider.mode = ProviderMode.OK
    added = await stack.http.post(PATH, json=chosen, headers=stack.headers("admin"))

    assert KEY not in str(listed)
    assert before == [None]
    assert (refused.status_code, none) == (422, [])
    assert "401" in refused.json()["detail"]
    assert KEY not in refused.text
    assert added.json()["key_hint"] == KEY[-4:]
    models = {request.body.get("model") for request in provider.requests} - {None}
    assert models == {"gpt-5-mini", "gpt-5-nano"}


async def test_only_those_who_may_connect_models_see_what_is_found(
    stack: Stack, provider: BrokenProvider
) -> None:
    statuses: list[tuple[Any, ...]] = []
    tenant = stack.tenant
    for role in (Role.MEMBER, Role.ADMIN, Role.OWNER):
        key = await stack.services.auth.tenants.create_key(
            tenant.tenant.id, tenant.assistant.id, role.value, user=role.value, role=role
        )
        headers = {"Authorization": f"Bearer {key}"}
        seen = await stack.http.get(PATH, params={"find": True}, headers=headers)
        posts = [
            (await stack.http.post(path, json=CHOSEN, headers=headers)).status_code
            for path in (f"{PATH}/test", PATH)
        ]
        statuses.append((seen.status_code, seen.json().get("found") == [], *posts))

    assert statuses == [(403, False, 403, 403), (200, True, 403, 403), (200, False, 200, 201)]


async def test_only_saegim_dev_finds_models(databases: Databases) -> None:
    async with new_stack(databases) as stack:
        listed = await found(stack)
        added = await stack.http.post(PATH, json=CHOSEN, headers=stack.headers("admin"))

    assert (listed, added.status_code) == ([], 404)
    assert stack.services.llm.connections.discovery == ModelDiscovery()


Offer = Callable[..., Any]


@pytest.fixture
async def offer(stack: Stack) -> AsyncIterator[Offer]:
    """Makes the offer to a person who types these answers; returns how many were asked for."""
    async with served(stack.services) as http:
        target = ClientTarget(str(http.base_url), stack.tenant.key, "admin")

        async def run(*answers: str, terminal: bool = True) -> int:
            left = list(answers)

            async def ask() -> str:
                return left.pop(0)

            tenant = stack.tenant.tenant.id
            await offer_model(stack.services, tenant, target, ask if terminal else None)
            return len(answers) - len(left)

        yield run


@pytest.mark.parametrize("answer", ["\n", "y\n", "Y", "ㅛ\n", "예"])
async def test_one_key_connects_the_offered_model_and_nothing_is_asked_again(
    stack: Stack, offer: Offer, capsys: pytest.CaptureFixture[str], answer: str
) -> None:
    assert await offer(answer) == 1
    printed = capsys.readouterr().out
    assert await offer() == 0

    assert "Use qwen2.5:7b of Ollama? [Y/n]" in printed
    assert "Connected as Ollama" in printed
    assert [each["name"] for each in await connected(stack)] == ["Ollama"]
    assert capsys.readouterr().out == ""


async def test_no_goes_on_to_the_next_and_stores_nothing(
    stack: Stack,
    offer: Offer,
    provider: BrokenProvider,
    keys: dict[str, str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    keys["ANTHROPIC_API_KEY"] = KEY
    assert await offer("n\n", "no\n") == 2

    printed = capsys.readouterr().out
    assert "Use Anthropic with the key in ANTHROPIC_API_KEY? [Y/n]" in printed
    assert KEY not in printed
    assert {request.path for request in provider.requests} == {"/v1/models"}
    assert await connected(stack) == []


async def test_failed_test_is_one_line_and_stores_nothing(
    stack: Stack,
    offer: Offer,
    provider: BrokenProvider,
    keys: dict[str, str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    keys |= {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": provider.base_url}
    provider.mode = ProviderMode.HTTP_401
    assert await offer("\n") == 1

    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("Nothing was stored: the test of gpt-5-")
    assert "401" in line
    assert await connected(stack) == []


async def test_without_a_terminal_one_line_has_the_command(
    stack: Stack, offer: Offer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await offer(terminal=False) == 0

    [line] = capsys.readouterr().out.splitlines()
    assert line.endswith("saegim model add ollama --name Ollama --model qwen2.5:7b")
    assert await connected(stack) == []


async def test_nothing_is_printed_where_nothing_is_found(
    offer: Offer, provider: BrokenProvider, capsys: pytest.CaptureFixture[str]
) -> None:
    provider.models = ()
    assert await offer() == 0
    assert capsys.readouterr().out == ""


def test_nothing_is_asked_if_the_input_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    person, terminal = pty.openpty()
    with os.fdopen(terminal, "w") as output, Path(os.devnull).open() as no_input:
        monkeypatch.setattr("sys.stdout", output)
        monkeypatch.setattr("sys.stdin", no_input)
        shown = sys.stdout.isatty(), can_ask()
    os.close(person)
    assert shown == (True, False)


async def test_line_is_read_from_a_terminal_and_waiting_can_be_cancelled() -> None:
    person, terminal = pty.openpty()
    try:
        waiting = asyncio.create_task(ask_line(terminal))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        os.write(person, b"y\n")
        typed = await asyncio.wait_for(ask_line(terminal), 30)
        os.write(person, b"\x04")
        ended = await asyncio.wait_for(ask_line(terminal), 30)
    finally:
        os.close(person)
        os.close(terminal)

    assert waiting.cancelled()
    assert (typed, ended) == ("y\n", "n")
