from openai import AsyncOpenAI
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings

from saegim.adapters.models.clients import openai_client
from saegim.adapters.models.config import ModelConfig, ModelsConfig
from saegim.steps.ports import ModelRole, RoleModel


class ConfiguredModels:
    """The models of a configuration, each connected when it is first asked for."""

    def __init__(self, config: ModelsConfig) -> None:
        self._config = config
        self._built: dict[ModelRole, RoleModel] = {}
        self._clients: dict[tuple[str | None, str | None, float], AsyncOpenAI] = {}

    def for_role(self, role: ModelRole) -> RoleModel | None:
        config = self._config.roles.get(role)
        if config is None:
            return None
        if role not in self._built:
            self._built[role] = self._build(config)
        return self._built[role]

    async def close(self) -> None:
        """Closes every connection; the models must not be used any more."""
        for client in self._clients.values():
            await client.close()
        self._clients.clear()
        self._built.clear()

    def _build(self, config: ModelConfig) -> RoleModel:
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
