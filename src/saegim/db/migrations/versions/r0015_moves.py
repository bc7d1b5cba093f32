"""Tenants on their way from one cell to another; kept in the home cell, beside the directory."""

from alembic import op

from saegim.db.migrations.tenant_tables import fence

revision = "0015"
down_revision = "0014"

# `since` is the oldest transaction of the cell of origin that the copy may lack something of;
# once the move has switched, it is one of the new cell, for the way back.
MOVE = """
    create table tenant_move (
        tenant_id uuid primary key references tenant_directory,
        from_cell text not null,
        to_cell text not null,
        state text not null default 'copying',
        copied text[] not null default '{}',
        since bigint,
        began_at timestamptz not null,
        switched_at timestamptz,
        check (state in ('copying', 'switched')),
        check (from_cell <> to_cell)
    )
"""


def upgrade() -> None:
    for statement in (MOVE, *fence("tenant_move")):
        op.execute(statement)
