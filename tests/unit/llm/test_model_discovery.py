"""`saegim dev` finds models on this machine, and provider keys in its environment."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.doubles.services import CannedResponse, LocalService
from saegim.cli.dev.model_offer import command_of
from saegim.llm.connections.discovery import (
    LOCAL_SERVERS,
    PROBE_SECONDS,
    ModelDiscovery,
    ModelServer,
)

pytestmark = pytest.mark.requirement("OP7")

# As these servers list their models.
OLLAMA = {
    "object": "list",
    "data": [
        {"id": "nomic-embed-text:latest", "object": "model", "created": 1, "owned_by": "library"},
        {"id": "gpt-oss:120b-cloud", "object": "model", "created": 1, "owned_by": "library"},
        {"id": "qwen2.5:7b", "object": "model", "created": 1, "owned_by": "library"},
    ],
}
LM_STUDIO = {
    "data": [
        {"id": "text-embedding-nomic-embed-text-v1.5", "object": "model", "owned_by": "owner"},
        {"id": "google/gemma-3-4b", "object": "model", "owned_by": "organization_owner"},
    ],
    "object": "list",
}
LLAMA_CPP = {
    "models": [{"name": "/models/Qwen 3.gguf", "type": "model", "capabilities": ["completion"]}],
    "object": "list",
    "data": [
        {"id": "/models/Qwen 3.gguf", "object": "model", "owned_by": "llamacpp", "meta": {}},
    ],
}
COMMANDS = {
    "Ollama": "saegim model add ollama --name Ollama --model qwen2.5:7b",
    "LM Studio": "saegim model add openai-compatible --base-url {url}/v1 --name 'LM Studio' "
    "--model google/gemma-3-4b",
    "llama.cpp": "saegim model add openai-compatible --base-url {url}/v1 --name llama.cpp "
    "--model '/models/Qwen 3.gguf'",
}


@pytest.fixture
async def service() -> AsyncIterator[LocalService]:
    async with LocalService(lambda _: CannedResponse(OLLAMA)) as running:
        yield running


def at(service: LocalService, name: str = "Ollama") -> ModelServer:
    usual = next(each for each in LOCAL_SERVERS if each.name == name)
    return replace(usual, base_url=f"{service.url}/v1")


@pytest.mark.parametrize(
    ("name", "listed", "model"),
    [
        ("Ollama", OLLAMA, "qwen2.5:7b"),
        ("LM Studio", LM_STUDIO, "google/gemma-3-4b"),
        ("llama.cpp", LLAMA_CPP, "/models/Qwen 3.gguf"),
    ],
)
async def test_first_chat_model_of_a_server_is_found(
    service: LocalService, name: str, listed: Any, model: str
) -> None:
    service.answer = lambda _: CannedResponse(listed)
    [found] = await ModelDiscovery((at(service, name),)).find()

    assert (found.name, found.model, found.base_url) == (name, model, f"{service.url}/v1")
    assert [each.path for each in service.asked] == ["/v1/models"]
    assert command_of(found) == COMMANDS[name].format(url=service.url)


@pytest.mark.parametrize(
    "response",
    [
        CannedResponse(b"<!doctype html><title>Jenkins</title>", headers={"Content-Type": "x/y"}),
        CannedResponse({"status": "ok"}),
        CannedResponse([1, 2]),
        CannedResponse({"data": None}),
        CannedResponse({"error": "key"}, status=401),
        CannedResponse(OLLAMA, status=500),
        CannedResponse(status=302, headers={"Location": "http://192.0.2.1/v1/models"}),
        CannedResponse(OLLAMA, breaks_after=20),
        CannedResponse({"data": []}),
        CannedResponse({"data": [{"id": "bge-m3"}]}),
    ],
)
async def test_other_servers_and_servers_without_a_chat_model_are_not_found(
    service: LocalService, response: CannedResponse
) -> None:
    service.answer = lambda _: response
    assert await ModelDiscovery((at(service),)).find() == []


async def test_nothing_is_found_where_nothing_listens() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
        assert await ModelDiscovery((ModelServer("Ollama", "ollama", address),)).find() == []


async def test_slow_servers_delay_the_others_no_longer_than_the_limit(
    service: LocalService,
) -> None:
    async with LocalService(lambda _: CannedResponse(OLLAMA, seconds=60)) as slow:
        discovery = ModelDiscovery((at(slow), at(slow), at(service, "LM Studio")))
        await ModelDiscovery((at(service),)).find()
        began = time.monotonic()
        found = await asyncio.wait_for(discovery.find(), 30)

    assert [each.name for each in found] == ["LM Studio"]
    # Less than one after the other on any machine.
    assert time.monotonic() - began < 20 * PROBE_SECONDS


async def test_proxy_of_the_environment_is_not_used(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert len(await ModelDiscovery((at(service),)).find()) == 1


async def test_keys_are_found_behind_local_servers_and_not_shown(service: LocalService) -> None:
    keys = {
        "OPENAI_API_KEY": "sk-secret",
        "ANTHROPIC_API_KEY": " ",
        "GEMINI_API_KEY": "g",
        "GOOGLE_API_KEY": "g2",
    }
    found = await ModelDiscovery((at(service),), keys).find()

    assert [each.name for each in found] == ["Ollama", "OpenAI", "Gemini"]
    assert [each.key_variable for each in found] == [None, "OPENAI_API_KEY", "GEMINI_API_KEY"]
    assert "sk-secret" not in repr(found)
    expected = 'SAEGIM_MODEL_API_KEY="$OPENAI_API_KEY" saegim model add openai'
    assert command_of(found[1]) == expected


async def test_key_is_meant_for_the_address_beside_it() -> None:
    keys = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "https://models.example/v1"}
    [found] = await ModelDiscovery((), keys).find()
    assert found.base_url == "https://models.example/v1"


def test_the_servers_are_on_this_machine() -> None:
    assert all(each.base_url.startswith("http://127.0.0.1:") for each in LOCAL_SERVERS)
