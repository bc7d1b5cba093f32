"""The file that a document was made of, to tell unchanged files before they are uploaded."""

from alembic import op

revision = "0005"
down_revision = "0004"

INDEX = """
create index concurrently if not exists document_by_file
on document (tenant_id, collection_id, file_hash) where file_hash is not null
"""


def upgrade() -> None:
    op.execute(
        "alter table document add column if not exists file_hash bytea, "
        "add column if not exists file_documents integer"
    )
    with op.get_context().autocommit_block():
        op.execute(INDEX)
