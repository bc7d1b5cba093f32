"""Mark turns whose question was answered later, by an FAQ entry."""

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.execute("alter table usage_event add column answered boolean not null default false")
