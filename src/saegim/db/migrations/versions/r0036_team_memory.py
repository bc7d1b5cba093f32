"""Team memory: records that the readers of a collection share."""

from alembic import op
from psycopg import Connection

from saegim.db.migrations.tenant_tables import enable_row_security

revision = "0036"
down_revision = "0035"

# `body` is sealed with the tenant's key; `content_hash` is keyed.
RECORDS = """
create table team_memory (
    tenant_id uuid not null,
    team_memory_id uuid not null,
    collection_id uuid not null,
    type text not null,
    body bytea not null,
    content_hash bytea not null,
    said_at timestamptz not null,
    version integer not null default 1,
    created_at timestamptz not null,
    changed_at timestamptz not null,
    primary key (tenant_id, team_memory_id),
    unique (tenant_id, collection_id, content_hash),
    foreign key (tenant_id, collection_id) references collection on delete cascade
)
"""
VERSIONS = """
create table team_memory_version (
    tenant_id uuid not null,
    team_memory_id uuid not null,
    version integer not null,
    type text not null,
    body bytea not null,
    changed_by uuid,
    changed_at timestamptz not null,
    primary key (tenant_id, team_memory_id, version),
    foreign key (tenant_id, team_memory_id) references team_memory on delete cascade
)
"""
# Who said or confirmed a record; `memory_id` and `turn_id` are of that member.
SOURCES = """
create table team_memory_source (
    tenant_id uuid not null,
    team_memory_id uuid not null,
    member_id uuid not null,
    memory_id uuid,
    turn_id uuid,
    body bytea not null,
    said_at timestamptz not null,
    shared_at timestamptz not null,
    primary key (tenant_id, team_memory_id, member_id),
    foreign key (tenant_id, team_memory_id) references team_memory on delete cascade,
    foreign key (tenant_id, member_id) references member
)
"""
TABLES = {
    "team_memory": RECORDS,
    "team_memory_version": VERSIONS,
    "team_memory_source": SOURCES,
}
INDEXES = (
    "create index team_memory_source_by_member on team_memory_source (tenant_id, member_id)",
    "create index team_memory_version_by_member on team_memory_version (tenant_id, changed_by)",
    "create index team_memory_by_collection on team_memory (tenant_id, collection_id)",
)


def upgrade() -> None:
    connection = op.get_bind().connection.driver_connection
    assert isinstance(connection, Connection)
    for name, table in TABLES.items():
        for statement in (table, *enable_row_security(name)):
            connection.execute(statement.encode())
    for index in INDEXES:
        connection.execute(index.encode())
