"""What memory is looked after by: turns that only a twin has read, records that expire."""

from alembic import op

revision = "0007"
down_revision = "0006"

# What expires is neither core nor pinned nor forgotten already.
EXPIRING = "where forgotten_at is null and not core and not pinned"


def upgrade() -> None:
    op.execute(
        "create index extraction_by_twin on extraction (tenant_id, turn_id) where origin = 'twin'"
    )
    op.execute(f"create index memory_by_age on memory (tenant_id, type, said_at) {EXPIRING}")
    op.execute(f"create index memory_by_weight on memory (tenant_id, importance) {EXPIRING}")
