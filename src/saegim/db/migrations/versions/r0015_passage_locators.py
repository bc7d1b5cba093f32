"""The page, slide or row of a passage in its file."""

from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.execute("alter table passage add column locator jsonb")
