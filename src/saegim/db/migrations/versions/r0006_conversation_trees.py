"""Titles, pins and undoable deletion of sessions; branches of turns."""

from alembic import op

revision = "0006"
down_revision = "0005"

# `title` is the user's and `auto_title` the model's, both encrypted. A deleted session can be
# restored until a job removes it.
SESSION = """
alter table session
    add column if not exists title bytea,
    add column if not exists auto_title bytea,
    add column if not exists pinned boolean not null default false,
    add column if not exists deleted_at timestamptz
"""
# `parent_id` is the turn before it in its branch, `variant_of` the first turn at the same point,
# `continues` the turn whose answer it continues. `in_use`: it is on the branch in use.
TURN = """
alter table turn
    add column if not exists parent_id uuid,
    add column if not exists variant_of uuid,
    add column if not exists continues uuid,
    add column if not exists in_use boolean not null default true
"""


INDEX = """
create index concurrently if not exists session_by_deletion
on session (tenant_id, deleted_at) where deleted_at is not null
"""


def upgrade() -> None:
    op.execute(SESSION)
    op.execute(TURN)
    with op.get_context().autocommit_block():
        op.execute(INDEX)
