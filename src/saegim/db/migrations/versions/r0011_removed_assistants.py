"""Removed assistants, whose conversations stay."""

from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.execute("alter table assistant add column removed_at timestamptz")
