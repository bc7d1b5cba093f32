"""Calls for models that the tenant connects with its own keys."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from saegim.client.calls import Calls, parse
from saegim.client.types import ModelCheck, ModelConnection, ModelRole


class ModelCalls(Calls):
    async def model_connections(self) -> list[ModelConnection]:
        """Return the model connections, oldest first."""
        response = await self._call("GET", "/v1/model-connections")
        return [ModelConnection.model_validate(each) for each in response.json()["connections"]]

    async def add_model_connection(self, provider: str, **more: Any) -> ModelConnection:
        """Store a connection and use it. `api_key`, `base_url`, `name`, `roles`, `model` and time
        limits such as `turn_seconds` are optional, and so is `found`, the name of a model that
        `saegim dev` found, which is tested first."""
        body = {"provider": provider, **more}
        return await parse(ModelConnection, self._call("POST", "/v1/model-connections", json=body))

    async def test_model_connection(self, provider: str, **more: Any) -> list[ModelCheck]:
        """Call the models of a connection without storing it."""
        body = {"provider": provider, **more}
        response = await self._call("POST", "/v1/model-connections/test", json=body)
        return [ModelCheck.model_validate(each) for each in response.json()["checks"]]

    async def available_models(self, provider: str, **more: Any) -> list[str]:
        """Return the models that a provider lists; `base_url` and `api_key` are optional."""
        body = {"provider": provider, **more}
        response = await self._call("POST", "/v1/model-connections/available-models", json=body)
        return list(response.json()["models"])

    async def set_model_egress(
        self,
        connection: UUID,
        withheld_types: Sequence[str] = (),
        *,
        withholds_pinned: bool = False,
        uses_pseudonyms: bool = False,
    ) -> ModelConnection:
        """Change what must not leave to a connection."""
        body = {
            "withheld_types": list(withheld_types),
            "withholds_pinned": withholds_pinned,
            "uses_pseudonyms": uses_pseudonyms,
        }
        path = f"/v1/model-connections/{connection}/egress"
        return await parse(ModelConnection, self._call("PUT", path, json=body))

    async def remove_model_connection(self, connection: UUID) -> None:
        await self._call("DELETE", f"/v1/model-connections/{connection}")

    async def model_roles(self) -> list[ModelRole]:
        """Return the model of every role."""
        response = await self._call("GET", "/v1/model-roles")
        return [ModelRole.model_validate(each) for each in response.json()["roles"]]

    async def set_model_roles(
        self, connection: UUID | None, roles: Sequence[str] = (), model: str | None = None
    ) -> list[ModelRole]:
        """Use a connection for roles, or the server's default if it is None."""
        named = None if connection is None else str(connection)
        body = {"connection_id": named, "roles": list(roles), "model": model}
        response = await self._call("PUT", "/v1/model-roles", json=body)
        return [ModelRole.model_validate(each) for each in response.json()["roles"]]

    async def test_model_roles(self) -> list[ModelCheck]:
        """Call the model of every role."""
        response = await self._call("POST", "/v1/model-roles/test")
        return [ModelCheck.model_validate(each) for each in response.json()["checks"]]
