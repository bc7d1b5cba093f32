"""References of a session, and what a turn did besides replying: ids, numbers and kinds only."""

from alembic import op

revision = "0042"
down_revision = "0041"

STATEMENTS = (
    "alter table session add column refs jsonb not null default '{}'",
    "alter table turn add column effects jsonb",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
