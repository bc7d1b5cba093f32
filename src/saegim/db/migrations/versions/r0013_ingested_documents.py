"""The document of an ingested file, which may have an id of its own."""

from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.execute("alter table ingest_file add column document_id uuid")
