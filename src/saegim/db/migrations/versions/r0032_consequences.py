"""What a record rests on, since when it is unsure, and the turn that asked about it."""

from alembic import op

revision = "0032"
down_revision = "0030"

# `rests_on` are records; if one of them changes, this one is unsure until the user confirms it.
COLUMNS = """
alter table memory
    add column if not exists rests_on uuid[] not null default '{}',
    add column if not exists unsure_since timestamptz,
    add column if not exists asked_in uuid
"""


def upgrade() -> None:
    op.execute(COLUMNS)
