from importlib import import_module
from typing import TYPE_CHECKING

from saegim.llm.model_config import ModelsConfig
from saegim.llm.ports import ModelRole, RoleModel

if TYPE_CHECKING:
    from saegim.llm.openai_chat import ChatModels


class ConfiguredModels:
    """The models of a configuration, each connected when it is first asked for."""

    def __init__(self, config: ModelsConfig) -> None:
        if config.roles:
            # Now: a first turn must not wait for it.
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
        """Closes every connection; the models must not be used any more."""
        if self._chat is not None:
            await self._chat.close()
        self._built.clear()

    def _models(self) -> "ChatModels":
        if self._chat is not None:
            return self._chat
        # The provider's client takes half a second to load: not for those who run offline.
        chat: ChatModels = import_module("saegim.llm.openai_chat").ChatModels()
        self._chat = chat
        return chat
