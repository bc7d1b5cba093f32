"""Documents tell their bytes, for the tenant's quota; uploads that broke off are found by time."""

from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    # Documents that are there count once they are stored again.
    op.execute("alter table document add column bytes bigint not null default 0")
    op.execute(
        "create index upload_by_time on ingest_file (tenant_id, updated_at) "
        "where state = 'receiving'"
    )
    op.execute("create index usage_event_of_tenant on usage_event (tenant_id, occurred_at)")
