"""Sessions that are shared by link."""

from alembic import op

revision = "0014"
down_revision = "0013"

# `share_id` is random, and `shared_turn` the last turn that readers see. Both go with the session.
SESSION = """
alter table session
    add column if not exists share_id uuid,
    add column if not exists shared_turn uuid,
    add column if not exists shared_at timestamptz
"""
INDEX = """
create unique index concurrently if not exists session_by_share
on session (tenant_id, share_id) where share_id is not null
"""


def upgrade() -> None:
    op.execute(SESSION)
    with op.get_context().autocommit_block():
        op.execute(INDEX)
