"""Models that tenants connect, and the roles that use them."""

from alembic import op
from psycopg import Connection

from saegim.db.migrations.tenant_tables import enable_row_security

revision = "0003"
down_revision = "0002"

# `api_key` is sealed with the tenant's key; `key_hint` is its last characters.
CONNECTIONS = """
create table model_connection (
    tenant_id uuid not null references tenant,
    connection_id uuid not null,
    name text not null,
    provider text not null,
    base_url text not null,
    api_key bytea,
    key_hint text,
    step_seconds real not null,
    first_token_seconds real not null,
    turn_seconds real not null,
    background_seconds real not null,
    created_at timestamptz not null,
    primary key (tenant_id, connection_id),
    unique (tenant_id, name)
)
"""
ROLES = """
create table model_role (
    tenant_id uuid not null,
    role text not null,
    connection_id uuid not null,
    model text not null,
    primary key (tenant_id, role),
    foreign key (tenant_id, connection_id) references model_connection on delete cascade
)
"""
TABLES = {"model_connection": CONNECTIONS, "model_role": ROLES}


def upgrade() -> None:
    connection = op.get_bind().connection.driver_connection
    assert isinstance(connection, Connection)
    for name, table in TABLES.items():
        for statement in (table, *enable_row_security(name)):
            connection.execute(statement.encode())
