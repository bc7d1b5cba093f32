from importlib import import_module
from typing import TYPE_CHECKING

from saegim.llm.model_config import ModelsConfig
from saegim.llm.ports import ModelRole, RoleModel

if TYPE_CHECKING:
    from saegim.llm.openai_chat import ChatModels


class ConfiguredModels:
    """The models of a configuration, each created on first use."""

    def __init__(self, config: ModelsConfig) -> None:
        if config.roles:
            # Imported now, so that the first turn does not wait.
            import_module("saegim.llm.calls")
        self._config = config
        self._built: dict[ModelRole, RoleModel] = {}
        self._chat: ChatModels | None = None

    def for_role(self, role: ModelRole) -> RoleModel | None:
        config = self._config.roles.get(role)
        if config is None:
            return None
        if role not in self._built:
            self._built[role] = self._models().build(config)
        return self._built[role]

    async def close(self) -> None:
        """Close all connections; the models must not be used afterwards."""
        if self._chat is not None:
            await self._chat.close()
        self._built.clear()

    def _models(self) -> "ChatModels":
        if self._chat is not None:
            return self._chat
        # Imported late: the provider's client takes half a second to load.
        chat: ChatModels = import_module("saegim.llm.openai_chat").ChatModels()
        self._chat = chat
        return chat
