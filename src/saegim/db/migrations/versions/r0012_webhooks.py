"""Webhooks: where a tenant is told what happened, and what it was told."""

from alembic import op

from saegim.db.migrations.tenant_tables import fence

revision = "0012"
down_revision = "0011"

TABLES = {
    # `secret` is sealed with the tenant's key.
    "webhook": """
        create table webhook (
            tenant_id uuid not null references tenant,
            webhook_id uuid not null,
            url text not null,
            events text[] not null,
            secret bytea not null,
            created_at timestamptz not null,
            primary key (tenant_id, webhook_id)
        )""",
    # Ids and times; what happened is read where it is stored, with a credential.
    "webhook_delivery": """
        create table webhook_delivery (
            tenant_id uuid not null,
            delivery_id uuid not null,
            webhook_id uuid not null,
            event text not null,
            subject_id uuid not null,
            state text not null default 'waiting',
            attempts integer not null default 0,
            status integer,
            error text,
            created_at timestamptz not null,
            settled_at timestamptz,
            primary key (tenant_id, delivery_id),
            foreign key (tenant_id, webhook_id) references webhook on delete cascade,
            check (state in ('waiting', 'delivered', 'failed'))
        )""",
}

STATEMENTS = [
    """
    create index webhook_delivery_by_hook
        on webhook_delivery (tenant_id, webhook_id, delivery_id)
    """,
]


def upgrade() -> None:
    for table, definition in TABLES.items():
        _run([definition, *fence(table)])
    _run(STATEMENTS)


def _run(statements: list[str]) -> None:
    for statement in statements:
        op.execute(statement)
