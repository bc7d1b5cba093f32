"""Turns record that readers saw text of them which no stream buffer keeps.

A turn that is taken over starts again from nothing only where nobody saw an answer.
"""

from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.execute("alter table turn add column text_shown boolean not null default false")
