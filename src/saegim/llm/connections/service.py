"""Manage the models that a tenant connects: add, test, assign to roles, remove."""

import asyncio
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from urllib.parse import urlsplit
from uuid import UUID

import httpx2

from saegim.db.cells import Row
from saegim.domain.errors import Invalid, NotFound
from saegim.llm.connections.checks import available_models, check_models, prices
from saegim.llm.connections.discovery import ModelDiscovery
from saegim.llm.connections.repository import PostgresModelConnections
from saegim.llm.connections.tenant_models import CachedTenantModels, config_of
from saegim.llm.connections.types import (
    ModelCheck,
    ModelConnection,
    ModelsByRole,
    NewConnection,
    RoleChoice,
    cost_of_turns,
)
from saegim.llm.model_config import ModelConfig, ModelsConfig, host_of
from saegim.llm.ports import ANSWER_ROLES, EgressPolicy, ModelRole, TimeLimits
from saegim.llm.providers import (
    PROVIDERS,
    ProviderName,
    default_limits,
    default_model,
    role_config,
)
from saegim.net.guard import Network

LONGEST_URL = 2_000
_LABEL = r"[a-z0-9_-]{1,63}"
_HOST = re.compile(rf"(?=.{{1,253}}$){_LABEL}(\.{_LABEL})*\.?|[0-9a-f:.]+", re.IGNORECASE)
ALL_ROLES = tuple(ModelRole)
SECONDS = ("step_seconds", "first_token_seconds", "turn_seconds", "background_seconds")


class ModelConnections:
    """`allowed` are the private networks that base URLs may reach; they also allow plain HTTP."""

    def __init__(
        self,
        store: PostgresModelConnections,
        cache: CachedTenantModels,
        environment: ModelsConfig,
        allowed: Sequence[Network],
    ) -> None:
        self._store = store
        self._cache = cache
        self._environment = environment
        self._allowed = allowed
        # `saegim dev` replaces it. A tenant of a shared server must not get the operator's key.
        self.discovery = ModelDiscovery()

    async def all(self, tenant: UUID) -> list[ModelConnection]:
        """Return the tenant's connections, oldest first."""
        return await self._store.all(tenant)

    async def roles(self, tenant: UUID) -> list[RoleChoice]:
        """Return the model of every role, and where it is configured."""
        rows = {row["role"]: row for row in await self._store.role_rows(tenant)}
        choices = [self._choice(role, rows.get(role.value)) for role in ModelRole]
        # The list of prices takes half a second to load.
        return await asyncio.to_thread(lambda: list(map(_priced, choices)))

    def _choice(self, role: ModelRole, row: Row | None) -> RoleChoice:
        default = self._environment.roles.get(role)
        if row is not None:
            model, url = row["model"], row["base_url"]
            tools = model not in row["without_tools"]
            choice = RoleChoice(role, "connection", model, row["connection_id"], row["name"])
        elif default is not None:
            model, url = default.model, default.base_url
            tools = self._cache.settings_model_takes_tools(model, url)
            choice = RoleChoice(role, "environment", model, None, host_of(url))
        else:
            return RoleChoice(role, "none")
        answers = role in ANSWER_ROLES
        return replace(choice, base_url=url, takes_tools=tools if answers else None)

    async def add(
        self, tenant: UUID, new: NewConnection, roles: Collection[ModelRole], model: str | None
    ) -> ModelConnection:
        """Store a connection and use it for roles; one with an id keeps its roles and what is not
        given. Raises Invalid, Conflict or NotFound."""
        new, url, models = await self._completed(tenant, new, roles, model)
        limits = _limits(new, url)
        try:
            return await self._store.add(tenant, new, url, limits, models)
        finally:
            self._cache.forget(tenant)

    async def remove(self, tenant: UUID, identifier: UUID) -> None:
        """Delete a connection; its roles return to the environment's models. Raises NotFound."""
        try:
            await self._store.remove(tenant, identifier)
        finally:
            self._cache.forget(tenant)

    async def use(
        self, tenant: UUID, identifier: UUID, roles: Collection[ModelRole], model: str | None
    ) -> None:
        """Use a connection for roles, with a model or the provider's default. Raises NotFound or
        Invalid."""
        connection, _ = await self._store.find(tenant, identifier)
        models = self._models(connection.provider, roles, model)
        try:
            await self._store.assign(tenant, identifier, models)
        finally:
            self._cache.forget(tenant)

    async def set_egress(
        self, tenant: UUID, identifier: UUID, policy: EgressPolicy
    ) -> ModelConnection:
        """Change what must not leave to a connection. Raises NotFound."""
        try:
            return await self._store.set_egress(tenant, identifier, policy)
        finally:
            self._cache.forget(tenant)

    async def use_environment(self, tenant: UUID, roles: Collection[ModelRole]) -> None:
        """Return roles to the models of the environment."""
        try:
            await self._store.unassign(tenant, roles)
        finally:
            self._cache.forget(tenant)

    async def check_new(
        self, tenant: UUID, new: NewConnection, roles: Collection[ModelRole], model: str | None
    ) -> list[ModelCheck]:
        """Call the models that a connection would use, without storing it. Raises Invalid or
        NotFound."""
        new, url, models = await self._completed(tenant, new, roles, model)
        limits = _limits(new, url)
        configs = {
            role: role_config(new.provider, role, name, url, new.api_key, limits)
            for role, name in models.items()
        }
        return await check_models(configs, self._allowed)

    async def check(self, tenant: UUID) -> list[ModelCheck]:
        """Call the model of every role of the tenant that has one."""
        own = await self.check_own(tenant)
        others = set(ModelRole) - {each.role for each in own}
        checks = [*own, *await self.check_environment(others)]
        for choice in await self.roles(tenant):
            await self._note_tools(tenant, choice, checks)
        return sorted(checks, key=lambda each: ALL_ROLES.index(each.role))

    async def _note_tools(
        self, tenant: UUID, choice: RoleChoice, checks: Collection[ModelCheck]
    ) -> None:
        """Store what the test of a role found about tools."""
        for check in checks:
            known = check.takes_tools
            if known is None or (check.role, check.model) != (choice.role, choice.model):
                continue
            connection = choice.connection if choice.source == "connection" else None
            await self._cache.note_tools(
                tenant, connection, check.model, choice.base_url, takes_tools=known
            )

    async def check_own(self, tenant: UUID) -> list[ModelCheck]:
        """Call the models that the tenant connected."""
        rows = await self._store.role_rows(tenant)
        connected = await self._store.open_roles(tenant, rows)
        return await check_models({each.role: config_of(each) for each in connected}, self._allowed)

    async def check_environment(self, roles: Collection[ModelRole] = ALL_ROLES) -> list[ModelCheck]:
        """Call the models of the environment."""
        configs = {role: each for role, each in self._environment.roles.items() if role in roles}
        return await check_models(configs, None)

    def host(self, new: NewConnection) -> str:
        """Return the host that a connection sends messages to. Raises Invalid."""
        return host_of(self._url(new))

    async def available(self, new: NewConnection) -> list[str]:
        """Return the models that a provider lists. Raises Invalid."""
        url = self._url(new)
        seconds = _limits(new, url).turn
        config = ModelConfig("", url, new.api_key, timeout_seconds=seconds)
        return await available_models(config, self._allowed)

    async def complete_found(
        self, new: NewConnection, name: str, model: str | None
    ) -> tuple[NewConnection, str | None]:
        """Return a connection with the URL and key of a found model, and the model to use for all
        roles. Raises NotFound."""
        for found in await self.discovery.find():
            if (found.name, found.provider, found.model) == (name, new.provider, model):
                named = new.name or name
                new = replace(new, name=named, base_url=found.base_url, api_key=found.api_key)
                return new, found.chosen_model
        raise NotFound(detail=f"{model} of {name} was not found")

    async def require_working(
        self, tenant: UUID, new: NewConnection, roles: Collection[ModelRole], model: str | None
    ) -> NewConnection:
        """Test a connection and return it with what the test found about tools. Raises Invalid with
        the provider's message."""
        checks = await self.check_new(tenant, new, roles, model)
        for each in checks:
            if not each.ok:
                words = filter(None, (each.fault, str(each.status or ""), each.message))
                raise Invalid(f"the test of {each.model} failed: {' '.join(words)}")
        without_tools = {each.model for each in checks if each.takes_tools is False}
        return replace(new, without_tools=sorted(without_tools))

    async def _completed(
        self, tenant: UUID, new: NewConnection, roles: Collection[ModelRole], model: str | None
    ) -> tuple[NewConnection, str, ModelsByRole]:
        """Return the connection, with what is stored of it, its address and its models."""
        url = self._url(new)
        if new.id is None:
            models = self._models(new.provider, roles, model)
        else:
            stored, key = await self._store.find(tenant, new.id)
            # Else the key could be read by sending it to a server of one's own.
            if key and not new.api_key and urlsplit(url)[:2] != urlsplit(stored.base_url)[:2]:
                raise Invalid("another server needs the API key again")
            kept = {
                name: getattr(stored, name)
                for name in ("name", *SECONDS)
                if getattr(new, name) is None
            }
            new = replace(new, api_key=new.api_key or key, **kept)
            rows = await self._store.role_rows(tenant)
            models = {
                ModelRole(row["role"]): row["model"]
                for row in rows
                if row["connection_id"] == new.id
            }
        if PROVIDERS[new.provider].needs_key and not new.api_key:
            raise Invalid(f"{new.provider} needs an API key")
        return new, url, models

    def _url(self, new: NewConnection) -> str:
        url = (new.base_url or PROVIDERS[new.provider].base_url or "").rstrip("/")
        if not url:
            raise Invalid(f"{new.provider} needs a base URL")
        try:
            # As the HTTP client of the models reads it.
            parts = httpx2.URL(url)
            host = parts.raw_host.decode()
        except (httpx2.InvalidURL, ValueError) as error:
            raise Invalid("invalid URL") from error
        valid = _HOST.fullmatch(host) and (parts.port is None or 0 < parts.port < 65_536)
        schemes = ("https", "http") if self._allowed else ("https",)
        if parts.scheme not in schemes or not valid or len(url) > LONGEST_URL:
            raise Invalid("the base URL must use https")
        if parts.userinfo or parts.query:
            raise Invalid("the base URL must not contain a password or a query")
        return url

    def _models(
        self, provider: ProviderName, roles: Collection[ModelRole], model: str | None
    ) -> ModelsByRole:
        models = {role: model or default_model(provider, role) for role in roles or ALL_ROLES}
        named = {role: name for role, name in models.items() if name}
        if len(named) < len(models):
            raise Invalid(f"{provider} needs a model name")
        return named


def _priced(choice: RoleChoice) -> RoleChoice:
    if choice.model is None:
        return choice
    cost = cost_of_turns(choice.role, *prices(choice.model, choice.base_url))
    return replace(choice, usd_per_1000_turns=cost)


def _limits(new: NewConnection, base_url: str) -> TimeLimits:
    default = default_limits(base_url)
    return TimeLimits(
        default.step if new.step_seconds is None else new.step_seconds,
        new.first_token_seconds or default.first_token,
        new.turn_seconds or default.turn,
        new.background_seconds or default.background,
    )
