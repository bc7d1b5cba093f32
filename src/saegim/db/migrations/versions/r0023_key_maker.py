"""Keys name the member who made them; None where an operator did."""

from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.execute("alter table app_key add column made_by uuid")
