"""Feedback that its person gives for evaluation too.

Expands only: feedback of the release before is not given for it.
"""

from alembic import op

revision = "0011"
down_revision = "0010"

STATEMENTS = [
    "alter table feedback add column for_evaluation boolean not null default false",
    "create index feedback_for_evaluation on feedback (tenant_id, given_at) where for_evaluation",
]


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
