"""Erasures have a grace period, in which they are planned and can be cancelled.

Expands only: the release before asks for erasures that run at once.
"""

from alembic import op

revision = "0026"
down_revision = "0025"

STATEMENTS = [
    "alter table erasure add column runs_at timestamptz not null default now()",
    "update erasure set runs_at = asked_at",
    "alter table erasure drop constraint erasure_state_check",
    """
    alter table erasure add constraint erasure_state_check
        check (state in ('planned', 'asked', 'key_destroyed', 'done', 'cancelled'))
    """,
]


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
