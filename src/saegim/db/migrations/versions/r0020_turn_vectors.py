"""Vectors of single turns, and terms of messages apart from replies."""

from alembic import op

revision = "0020"
down_revision = "0016"

# Of the last turn of an episode, like `own`: its vector, and the terms of its message alone. Rows
# of earlier releases have neither; recall uses the window and the whole turn instead.
COLUMNS = """
alter table episode_vector
    add column if not exists own_embedding halfvec,
    add column if not exists message sparsevec
"""


def upgrade() -> None:
    op.execute(COLUMNS)
