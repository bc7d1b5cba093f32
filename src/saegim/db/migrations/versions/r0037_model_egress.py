"""What must not leave to a model connection."""

from alembic import op

revision = "0037"
down_revision = "0036"

# Without an entry, everything may leave.
COLUMNS = """
alter table model_connection
    add column if not exists withheld_types text[] not null default '{}',
    add column if not exists withholds_pinned boolean not null default false,
    add column if not exists uses_pseudonyms boolean not null default false
"""


def upgrade() -> None:
    op.execute(COLUMNS)
