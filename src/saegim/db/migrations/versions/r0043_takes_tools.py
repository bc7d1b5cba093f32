"""Models of a connection that take no tools, as a test or a refusal found out."""

from alembic import op

revision = "0043"
down_revision = "0042"

# A model that is not listed takes tools.
COLUMN = """
alter table model_connection
    add column if not exists without_tools text[] not null default '{}'
"""


def upgrade() -> None:
    op.execute(COLUMN)
