"""Imports of memories wait here, sealed, until a job has remembered them."""

from alembic import op

from saegim.db.migrations.tenant_tables import fence

revision = "0025"
down_revision = "0024"

STATEMENTS = [
    """
    create table memory_import (
        tenant_id uuid not null references tenant,
        import_id uuid not null,
        member_id uuid not null,
        profile_id uuid not null,
        digest bytea not null,
        body bytea,
        total integer not null,
        done integer not null default 0,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (tenant_id, import_id)
    )
    """,
    *fence("memory_import"),
    """
    create unique index waiting_import on memory_import (tenant_id, member_id, profile_id, digest)
    where body is not null
    """,
    "create index import_by_person on memory_import (tenant_id, member_id)",
    "create index import_by_time on memory_import (tenant_id, updated_at) where body is null",
]


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
