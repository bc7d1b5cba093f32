"""Note when a person first signs in."""

from alembic import op

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    # Existing members count as people who signed in: keys made for them stay.
    op.execute("alter table member add column arrived_at timestamptz default now()")
    op.execute("alter table member alter column arrived_at drop default")
