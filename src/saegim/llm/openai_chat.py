"""Chat models behind any OpenAI-compatible address."""

from openai import AsyncOpenAI
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings

from saegim.llm.model_config import ModelConfig
from saegim.llm.openai_client import openai_client
from saegim.llm.ports import RoleModel


class ChatModels:
    """Models that share a client where they share an address, a key and a patience."""

    def __init__(self) -> None:
        self._clients: dict[tuple[str | None, str | None, float], AsyncOpenAI] = {}

    def build(self, config: ModelConfig) -> RoleModel:
        """The model of a configuration; nothing is sent yet."""
        place = (config.base_url, config.api_key, config.timeout_seconds)
        if place not in self._clients:
            self._clients[place] = openai_client(*place)
        model = OpenAIChatModel(
            config.model,
            provider=OpenAIProvider(openai_client=self._clients[place]),
            # An answer that breaks off must not pass for a whole one.
            profile=OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True),
            settings=ModelSettings(thinking=config.thinking) if config.thinking else None,
        )
        return RoleModel(model, config.timeout_seconds, config.retries)

    async def close(self) -> None:
        """Closes every connection."""
        for client in self._clients.values():
            await client.close()
        self._clients.clear()
