"""Finds out quickly whether a tenant has FAQ entries: a search without them asks the index once."""

from alembic import op

revision = "0016"
down_revision = "0015"

INDEX = """
create index concurrently if not exists document_faq on document (tenant_id) where type = 'faq'
"""


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute(INDEX)
