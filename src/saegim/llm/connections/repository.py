"""Model connections in Postgres; keys are encrypted with the tenant's key."""

from collections.abc import Iterable
from uuid import UUID

from psycopg.errors import UniqueViolation

from saegim.db.cells import Cells, Row, execute, fetch_all, fetch_one, from_row
from saegim.domain import pending_audit_event
from saegim.domain.errors import Conflict, NotFound
from saegim.domain.ids import Clock, new_id
from saegim.encryption.cipher import FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.llm.connections.types import (
    ConnectedRole,
    ModelConnection,
    ModelsByRole,
    NewConnection,
)
from saegim.llm.ports import EgressPolicy, ModelRole, TimeLimits

MOST_CONNECTIONS = 20
# A shorter key would be shown for the most part.
LEAST_FOR_HINT, HINT = 12, 4


class PostgresModelConnections:
    def __init__(self, cells: Cells, keyring: Keyring, clock: Clock) -> None:
        self._cells = cells
        self._keyring = keyring
        self._clock = clock

    async def add(
        self,
        tenant: UUID,
        new: NewConnection,
        base_url: str,
        limits: TimeLimits,
        models: ModelsByRole,
    ) -> ModelConnection:
        """Store a connection, or replace the one with its id, and assign it to roles. Raises
        Conflict for a name in use."""
        now = self._clock.now()
        identifier = new.id or new_id(now)
        pending_audit_event.about(identifier)
        cipher, key = await self._keyring.tenant(tenant), new.api_key
        async with self._cells.transaction(tenant) as connection:
            existing = await fetch_all(connection, "list_model_connections", tenant=tenant)
            if new.id is None and len(existing) >= MOST_CONNECTIONS:
                raise Conflict(f"a tenant may have {MOST_CONNECTIONS} model connections")
            names = {row["name"] for row in existing if row["connection_id"] != identifier}
            name = new.name or _free_name(new.provider, names)
            if name in names:
                raise Conflict(f"there is a model connection {name}")
            try:
                await execute(
                    connection,
                    "save_model_connection",
                    tenant=tenant,
                    connection=identifier,
                    name=name,
                    provider=new.provider,
                    base_url=base_url,
                    api_key=None if key is None else cipher.seal(key, _location(identifier)),
                    key_hint=key[-HINT:] if key and len(key) >= LEAST_FOR_HINT else None,
                    step_seconds=limits.step,
                    first_token_seconds=limits.first_token,
                    turn_seconds=limits.turn,
                    background_seconds=limits.background,
                    without_tools=None if new.without_tools is None else sorted(new.without_tools),
                    now=now,
                )
            except UniqueViolation as error:
                raise Conflict(f"there is a model connection {name}") from error
            for role, model in models.items():
                await execute(
                    connection,
                    "set_model_role",
                    tenant=tenant,
                    role=role.value,
                    connection=identifier,
                    model=model,
                )
            row = await fetch_one(
                connection, "find_model_connection", tenant=tenant, connection=identifier
            )
        return _connection(_require(row))

    async def all(self, tenant: UUID) -> list[ModelConnection]:
        """Return a tenant's connections, oldest first."""
        return list(map(_connection, await self._cells.read(tenant, "list_model_connections")))

    async def find(self, tenant: UUID, identifier: UUID) -> tuple[ModelConnection, str | None]:
        """Return a connection with its key. Raises NotFound."""
        row = _require(await self.connection_row(tenant, identifier))
        return _connection(row), await self._key(tenant, row)

    async def remove(self, tenant: UUID, identifier: UUID) -> None:
        """Delete a connection; its roles return to the environment's models. Raises NotFound."""
        _require(
            await self._cells.fetch_one(tenant, "drop_model_connection", connection=identifier)
        )

    async def set_egress(
        self, tenant: UUID, identifier: UUID, policy: EgressPolicy
    ) -> ModelConnection:
        """Change what must not leave to a connection. Raises NotFound."""
        row = await self._cells.fetch_one(
            tenant,
            "set_model_egress",
            connection=identifier,
            withheld_types=sorted(policy.withheld_types),
            withholds_pinned=policy.withholds_pinned,
            uses_pseudonyms=policy.uses_pseudonyms,
        )
        return _connection(_require(row))

    async def set_tools(self, tenant: UUID, name: str, model: str, *, takes_tools: bool) -> bool:
        """Store whether a connection's model takes tools. Returns whether that changed."""
        row = await self._cells.fetch_one(
            tenant, "set_model_tools", name=name, model=model, takes_tools=takes_tools
        )
        return row is not None

    async def assign(self, tenant: UUID, identifier: UUID, models: ModelsByRole) -> None:
        """Set the models of roles. Raises NotFound."""
        async with self._cells.transaction(tenant) as connection:
            ids = {"tenant": tenant, "connection": identifier}
            _require(await fetch_one(connection, "find_model_connection", **ids))
            for role, model in models.items():
                await execute(connection, "set_model_role", **ids, role=role.value, model=model)

    async def unassign(self, tenant: UUID, roles: Iterable[ModelRole]) -> None:
        """Return roles to the models of the environment."""
        async with self._cells.transaction(tenant) as connection:
            for role in roles:
                await execute(connection, "drop_model_role", tenant=tenant, role=role.value)

    async def role_rows(self, tenant: UUID) -> list[Row]:
        """Return the models of roles with encrypted keys; see `open_roles`."""
        return await self._cells.read(tenant, "list_model_roles")

    async def connection_row(self, tenant: UUID, identifier: UUID) -> Row | None:
        """Return a connection with its encrypted key, if it exists."""
        return await self._cells.read_one(tenant, "find_model_connection", connection=identifier)

    async def open_roles(self, tenant: UUID, rows: Iterable[Row]) -> list[ConnectedRole]:
        """Decrypt the keys of `role_rows`."""
        return [
            ConnectedRole(
                ModelRole(row["role"]),
                row["model"],
                _connection(row),
                await self._key(tenant, row),
            )
            for row in rows
        ]

    async def _key(self, tenant: UUID, row: Row) -> str | None:
        if row["api_key"] is None:
            return None
        cipher = await self._keyring.tenant(tenant)
        return cipher.open(row["api_key"], _location(row["connection_id"]))


def _free_name(provider: str, names: set[str]) -> str:
    numbers = range(2, MOST_CONNECTIONS + 2)
    return next(
        name for name in (provider, *(f"{provider}-{n}" for n in numbers)) if name not in names
    )


def _location(connection: UUID) -> FieldLocation:
    return FieldLocation("model_connection.api_key", connection)


def _require(row: Row | None) -> Row:
    if row is None:
        raise NotFound("model connection")
    return row


def _connection(row: Row) -> ModelConnection:
    # Of a short key no hint is stored.
    hint = row["key_hint"] or (None if row["api_key"] is None else "")
    return from_row(ModelConnection, row, id=row["connection_id"], key_hint=hint)
