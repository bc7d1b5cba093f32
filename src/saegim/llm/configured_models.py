from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from saegim.llm.model_config import ModelsConfig
from saegim.llm.ports import ModelRole, RoleModel

if TYPE_CHECKING:
    from saegim.llm.openai_chat import Clients
    from saegim.net.guard import Network


class ConfiguredModels:
    """The models of a configuration, each created on first use.

    `allowed` are the private networks that URLs of tenants may reach; None does not restrict them.
    """

    def __init__(self, config: ModelsConfig, allowed: "Sequence[Network] | None" = None) -> None:
        if config.roles:
            # Imported now, so that the first turn does not wait.
            import_module("saegim.llm.calls")
        self._config = config
        self._allowed = allowed
        self._built: dict[ModelRole, RoleModel] = {}
        self._clients: Clients = {}

    def for_role(self, role: ModelRole) -> RoleModel | None:
        config = self._config.roles.get(role)
        if config is None:
            return None
        if role not in self._built:
            # Imported late: the provider's client takes half a second to load.
            build_model = import_module("saegim.llm.openai_chat").build_model
            self._built[role] = build_model(config, self._clients, self._allowed)
        return self._built[role]

    async def close(self) -> None:
        """Close all connections; the models must not be used afterwards."""
        for client in self._clients.values():
            await client.close()
        self._clients.clear()
        self._built.clear()
