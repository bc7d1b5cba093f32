"""Finds models to offer: servers on this machine, and providers with a key in the environment.

Only loopback addresses are called. A key is used only once a person chooses its provider.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx2

from saegim.llm.ports import ModelRole
from saegim.llm.providers import PROVIDERS, ProviderName, default_model
from saegim.net.certificates import public_certificates

PROBE_SECONDS = 0.3
# Parts of the names of models that do not chat, and of Ollama's that run elsewhere.
NO_CHAT = ("embed", "bge", "e5-", "minilm", "rerank", "whisper", "-cloud", ":cloud")


@dataclass(frozen=True, slots=True)
class ModelServer:
    """A model server and its usual address."""

    name: str
    provider: ProviderName
    base_url: str


LOCAL_SERVERS = (
    ModelServer("Ollama", "ollama", "http://127.0.0.1:11434/v1"),
    ModelServer("LM Studio", "openai-compatible", "http://127.0.0.1:1234/v1"),
    ModelServer("llama.cpp", "openai-compatible", "http://127.0.0.1:8080/v1"),
)
KEY_VARIABLES: Mapping[str, ProviderName] = {
    "OPENAI_API_KEY": "openai",
    "ANTHROPIC_API_KEY": "anthropic",
    "GEMINI_API_KEY": "gemini",
    "GOOGLE_API_KEY": "gemini",
}


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A model that can be connected: of a server on this machine, or of a provider whose key is in
    the variable `key_variable`."""

    name: str
    provider: ProviderName
    model: str
    base_url: str | None = None
    key_variable: str | None = None
    api_key: str | None = field(default=None, repr=False)

    @property
    def chosen_model(self) -> str | None:
        """The model for all roles; None for a provider, which has a default for each role."""
        return None if self.key_variable else self.model


@dataclass(frozen=True, slots=True)
class ModelDiscovery:
    """Looks at local servers and at environment variables. The default finds nothing."""

    servers: Sequence[ModelServer] = ()
    environment: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)

    async def find(self) -> list[FoundModel]:
        """Return local models, then providers with a key. Takes at most PROBE_SECONDS."""
        local = await asyncio.gather(*map(_probe, self.servers))
        return [*filter(None, local), *self._with_keys()]

    def _with_keys(self) -> list[FoundModel]:
        found: dict[ProviderName, FoundModel] = {}
        for variable, provider in KEY_VARIABLES.items():
            key = self.environment.get(variable, "").strip()
            model = default_model(provider, ModelRole.LITE)
            if key and model and provider not in found:
                title = PROVIDERS[provider].title
                # OpenAI's own clients read it, too: the key may be of another server.
                url = self.environment.get("OPENAI_BASE_URL") if provider == "openai" else None
                found[provider] = FoundModel(title, provider, model, url or None, variable, key)
        return list(found.values())


async def _probe(server: ModelServer) -> FoundModel | None:
    """Return the first chat model that a server lists, if it is a model server that answers."""
    # A proxy of the environment could be another machine.
    client = httpx2.AsyncClient(trust_env=False, verify=public_certificates())
    try:
        async with asyncio.timeout(PROBE_SECONDS), client:
            response = await client.get(f"{server.base_url}/models")
            listed: Any = response.raise_for_status().json()
            names = [str(each["id"]) for each in listed["data"]]
    except (httpx2.HTTPError, TimeoutError, LookupError, TypeError, ValueError):
        return None
    for name in names:
        if not any(part in name.lower() for part in NO_CHAT):
            return FoundModel(server.name, server.provider, name, server.base_url)
    return None
