"""Questions of an assistant, and runs that evaluate its answers to them."""

from alembic import op
from psycopg import Connection

from saegim.db.migrations.tenant_tables import enable_row_security

revision = "0012"
down_revision = "0011"

# `questions`, `inputs` and `content` are sealed with the tenant's key.
QUESTIONS = """
create table evaluation_set (
    tenant_id uuid not null,
    assistant_id uuid not null,
    questions bytea not null,
    changed_at timestamptz not null,
    primary key (tenant_id, assistant_id),
    foreign key (tenant_id, assistant_id) references assistant
)
"""
RUNS = """
create table evaluation_run (
    tenant_id uuid not null,
    run_id uuid not null,
    assistant_id uuid not null,
    version integer,
    inputs bytea not null,
    state text not null,
    error text,
    total integer not null,
    done integer not null default 0,
    right_answers integer not null default 0,
    created_at timestamptz not null,
    finished_at timestamptz,
    primary key (tenant_id, run_id),
    foreign key (tenant_id, assistant_id) references assistant
)
"""
RESULTS = """
create table evaluation_result (
    tenant_id uuid not null,
    run_id uuid not null,
    number integer not null,
    content bytea not null,
    primary key (tenant_id, run_id, number),
    foreign key (tenant_id, run_id) references evaluation_run on delete cascade
)
"""
TABLES = {"evaluation_set": QUESTIONS, "evaluation_run": RUNS, "evaluation_result": RESULTS}


def upgrade() -> None:
    connection = op.get_bind().connection.driver_connection
    assert isinstance(connection, Connection)
    for name, table in TABLES.items():
        for statement in (table, *enable_row_security(name)):
            connection.execute(statement.encode())
    connection.execute(
        "create index evaluation_by_time on evaluation_run "
        "(tenant_id, assistant_id, created_at desc)"
    )
