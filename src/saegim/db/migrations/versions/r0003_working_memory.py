"""Working memory: what turns were folded into, how large turns are, and what is kept at hand.

Expands only: the release before leaves the new columns at their defaults. Turns that it records
have no `tokens`; the trigger of a fold estimates them from their bytes.
"""

from alembic import op

from saegim.db.migrations.tenant_tables import fence

revision = "0003"
down_revision = "0002"

STATEMENTS = [
    "alter table session add column folds integer not null default 0",
    "alter table turn add column tokens integer",
    # One row for a session, rewritten by each fold: it is state, not a log.
    """
    create table session_fold (
        tenant_id uuid not null,
        session_id uuid not null,
        member_id uuid not null,
        folds integer not null,
        folded_through integer not null,
        summary bytea not null,
        entities bytea not null,
        made_by text not null,
        updated_at timestamptz not null,
        primary key (tenant_id, session_id),
        foreign key (tenant_id, session_id) references session on delete cascade,
        check (made_by in ('model', 'twin'))
    )
    """,
    *fence("session_fold"),
    # What clean-up looks for: sessions that nobody used for long, and their oldest turns.
    "create index session_by_use on session (tenant_id, used_at)",
]


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
