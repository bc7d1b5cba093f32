"""Observations, profile lines and entity pages, derived from the records of a user."""

from alembic import op

from saegim.db.migrations.tenant_tables import enable_row_security

revision = "0035"
down_revision = "0032"

# `body` is sealed. `basis` is a keyed hash of the sources and their versions: what the user undid
# stays undone while it is the same.
DERIVED = """
create table derived_memory (
    tenant_id uuid not null references tenant,
    derived_id uuid not null,
    member_id uuid not null,
    profile_id uuid not null,
    kind text not null,
    key_hash bytea not null,
    basis bytea not null,
    body bytea not null,
    sources uuid[] not null,
    against uuid[] not null,
    first_seen timestamptz not null,
    last_seen timestamptz not null,
    undone_at timestamptz,
    changed_at timestamptz not null,
    primary key (tenant_id, derived_id),
    unique (tenant_id, member_id, profile_id, key_hash),
    check (kind in ('observation', 'profile', 'entity'))
)
"""


def upgrade() -> None:
    op.execute(DERIVED)
    for statement in enable_row_security("derived_memory"):
        op.execute(statement)
