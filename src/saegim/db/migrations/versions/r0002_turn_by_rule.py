"""Mark turns whose reply was written by rules, without a model."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.execute("alter table turn add column by_rule boolean not null default false")
