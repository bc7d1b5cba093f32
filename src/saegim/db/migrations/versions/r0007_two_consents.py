"""Consent to learning and to recall apart from each other; `allowed` is off if both are."""

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.execute(
        "alter table consent add column learning boolean not null default true, "
        "add column recall boolean not null default true"
    )
