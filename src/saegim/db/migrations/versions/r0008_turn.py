"""The turn: assistants' configuration, the documents a reply used, usage events, feedback.

Expands only: the release before leaves the new columns at their defaults.
"""

from alembic import op

from saegim.db.migrations.tenant_tables import fence

revision = "0008"
down_revision = "0007"

STATEMENTS = [
    "alter table assistant add column config jsonb not null default '{}'",
    # Which documents a reply used tells what was asked: sealed as the reply is.
    "alter table turn add column doc_ids bytea",
    # Counts only, never a word of what was said.
    """
    create table usage_event (
        tenant_id uuid not null references tenant,
        turn_id uuid not null,
        member_id uuid not null,
        assistant_id uuid not null,
        kind text not null,
        outcome text not null,
        event jsonb not null,
        occurred_at timestamptz not null,
        primary key (tenant_id, turn_id)
    )
    """,
    *fence("usage_event"),
    "create index usage_event_by_time on usage_event (tenant_id, assistant_id, occurred_at)",
    """
    create table feedback (
        tenant_id uuid not null,
        turn_id uuid not null,
        member_id uuid not null,
        thumb text not null,
        correction bytea,
        given_at timestamptz not null,
        primary key (tenant_id, turn_id),
        check (thumb in ('up', 'down'))
    )
    """,
    *fence("feedback"),
]


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
