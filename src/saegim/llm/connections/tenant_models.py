"""Cache of the models that tenants connected, with those of assistants. Clients are reused until a
connection changes."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID
from weakref import WeakValueDictionary

from saegim.db.cells import Row
from saegim.domain.errors import StoreUnavailable
from saegim.llm.configured_models import ConfiguredModels
from saegim.llm.connections.checks import refuses_tools
from saegim.llm.connections.repository import PostgresModelConnections
from saegim.llm.connections.types import ConnectedRole
from saegim.llm.model_config import OPENAI_URL, ModelConfig, ModelsConfig
from saegim.llm.ports import ANSWER_ROLES, ChosenModel, ModelRole, Models, RoleModel
from saegim.llm.providers import role_config
from saegim.net.guard import Network

REFRESH_SECONDS = 5.0
"""After this time, other processes use a changed connection."""
RETIRE_SECONDS = 900.0
"""A replaced client stays open for the calls that still use it."""
MOST_ENTRIES = 10_000

type _Key = tuple[UUID, ChosenModel | None]


def config_of(connected: ConnectedRole) -> ModelConfig:
    connection = connected.connection
    config = role_config(
        connection.provider,
        connected.role,
        connected.model,
        connection.base_url,
        connected.api_key,
        connection.limits,
    )
    return replace(
        config,
        limits=connection.limits,
        egress=connection.egress,
        connection=connection.name,
        takes_tools=connected.model not in connection.without_tools,
    )


def _settings_key(model: str, base_url: str | None) -> tuple[str, str]:
    return model, (base_url or OPENAI_URL).rstrip("/")


class OwnModels:
    """A tenant's own models; roles without one use those of the environment."""

    def __init__(self, own: ConfiguredModels, roles: frozenset[ModelRole], others: Models) -> None:
        self._own = own
        self._roles = roles
        self._others = others

    def for_role(self, role: ModelRole) -> RoleModel | None:
        return (self._own if role in self._roles else self._others).for_role(role)


@dataclass(frozen=True, slots=True)
class _CachedModels:
    rows: Sequence[Row]
    models: OwnModels | None
    clients: ConfiguredModels | None
    read_at: float


class CachedTenantModels:
    """Models by tenant. An unchanged configuration keeps its clients and circuit breakers."""

    def __init__(
        self,
        store: PostgresModelConnections,
        environment: Models,
        allowed: Sequence[Network],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._environment = environment
        self._allowed = allowed
        self._now = now
        self._entries: OrderedDict[_Key, _CachedModels] = OrderedDict()
        self._stale: set[_Key] = set()
        self._locks: WeakValueDictionary[_Key, asyncio.Lock] = WeakValueDictionary()
        self._retired: list[tuple[float, ConfiguredModels]] = []
        # Models of the settings that take no tools, by name and URL, until the process ends.
        self._without_tools: set[tuple[str, str]] = set()

    def forget(self, tenant: UUID) -> None:
        """Read the tenant's connections again on the next use."""
        self._stale.update(key for key in self._entries if key[0] == tenant)

    async def models_of(self, tenant: UUID, answers: ChosenModel | None = None) -> Models | None:
        """Return the tenant's models, or None if it uses those of the environment. `answers` is the
        model of the roles that write answers, if its connection exists.

        During an outage of Postgres, the last known ones count. Raises StoreUnavailable if none are
        known: another provider must not get the tenant's data.
        """
        key = (tenant, answers)
        if (known := self._current(key)) is not None:
            return known.models
        # Concurrent first requests would each build clients, and only the last would be closed.
        async with self._locks.setdefault(key, asyncio.Lock()):
            known = self._current(key) or await self._refreshed(key)
            return known.models

    def takes_tools(self, model: RoleModel) -> bool:
        """Return whether a model takes tools, as far as is known."""
        return model.takes_tools and (
            model.connection is not None
            or self.settings_model_takes_tools(model.model.model_name, model.model.base_url)
        )

    def settings_model_takes_tools(self, model: str, base_url: str | None) -> bool:
        """Return whether a model of the settings takes tools, as far as is known."""
        return _settings_key(model, base_url) not in self._without_tools

    async def refuse_tools(self, tenant: UUID, model: RoleModel) -> bool:
        """Offer a model no tools from now on, if it refuses one of ours, too.

        Stored for a tenant's connection, else remembered by this process. Returns whether it
        refuses. Raises StoreUnavailable.
        """
        refuses = await refuses_tools(model)
        if refuses:
            name, url = model.model.model_name, model.model.base_url
            await self.note_tools(tenant, model.connection, name, url, takes_tools=False)
        return refuses

    async def note_tools(
        self,
        tenant: UUID,
        connection: str | None,
        model: str,
        base_url: str | None,
        *,
        takes_tools: bool,
    ) -> None:
        """Note whether a model takes tools; `connection` is None for a model of the settings."""
        if connection is not None:
            if await self._store.set_tools(tenant, connection, model, takes_tools=takes_tools):
                self.forget(tenant)
        elif takes_tools:
            self._without_tools.discard(_settings_key(model, base_url))
        else:
            self._without_tools.add(_settings_key(model, base_url))

    def _current(self, key: _Key) -> _CachedModels | None:
        known = self._entries.get(key)
        if known is None or key in self._stale or self._now() - known.read_at >= REFRESH_SECONDS:
            return None
        return known

    async def _refreshed(self, key: _Key) -> _CachedModels:
        known = self._entries.get(key)
        self._stale.discard(key)
        try:
            rows = await self._rows(*key)
            entry = await self._entry(key[0], rows, known)
        except StoreUnavailable:
            if known is None:
                raise
            return known
        if known is not None and known.clients is not entry.clients:
            self._retire(known)
        self._entries[key] = entry
        self._entries.move_to_end(key)
        if len(self._entries) > MOST_ENTRIES:
            self._retire(self._entries.popitem(last=False)[1])
        await self._close_retired()
        return entry

    async def close(self) -> None:
        """Close all connections; the models must not be used afterwards."""
        entries = [entry.clients for entry in self._entries.values() if entry.clients is not None]
        for clients in (*entries, *(each for _, each in self._retired)):
            await clients.close()
        self._entries.clear()
        self._retired.clear()

    async def _rows(self, tenant: UUID, answers: ChosenModel | None) -> list[Row]:
        rows = await self._store.role_rows(tenant)
        chosen = answers and await self._store.connection_row(tenant, answers.connection)
        if answers is None or chosen is None:
            return rows
        others = [row for row in rows if ModelRole(row["role"]) not in ANSWER_ROLES]
        return [
            *others,
            *({**chosen, "role": role.value, "model": answers.model} for role in ANSWER_ROLES),
        ]

    async def _entry(
        self, tenant: UUID, rows: Sequence[Row], known: _CachedModels | None
    ) -> _CachedModels:
        now = self._now()
        if known is not None and known.rows == rows:
            return replace(known, read_at=now)
        if not rows:
            return _CachedModels(rows, None, None, now)
        connected = await self._store.open_roles(tenant, rows)
        roles = {each.role: config_of(each) for each in connected}
        clients = ConfiguredModels(ModelsConfig(roles), self._allowed)
        models = OwnModels(clients, frozenset(roles), self._environment)
        return _CachedModels(rows, models, clients, now)

    def _retire(self, entry: _CachedModels) -> None:
        if entry.clients is not None:
            self._retired.append((self._now(), entry.clients))

    async def _close_retired(self) -> None:
        due = self._now() - RETIRE_SECONDS
        while self._retired and self._retired[0][0] < due:
            await self._retired.pop(0)[1].close()
