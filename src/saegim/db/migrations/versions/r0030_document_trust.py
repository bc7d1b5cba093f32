"""Where a document comes from, when it was changed and last seen, and what tells its copies."""

from alembic import op

revision = "0030"
down_revision = "0021"

# `text_hash` is equal for documents with the same text; `signature` is the MinHash of the text, and
# documents with nearly the same text share one of the two keys of it.
DOCUMENT = """
alter table document
    add column if not exists text_hash bytea,
    add column if not exists signature integer[],
    add column if not exists near_key bigint,
    add column if not exists near_key_2 bigint,
    add column if not exists modified_at timestamptz,
    add column if not exists seen_at timestamptz,
    add column if not exists added_by uuid
"""
OTHERS = (
    "alter table ingest add column if not exists added_by uuid",
    "alter table ingest_file add column if not exists modified_at timestamptz",
    "alter table ranking add column if not exists stale_months integer",
)
INDEXES = {
    "document_by_text": "text_hash",
    "document_by_near_key": "near_key",
    "document_by_near_key_2": "near_key_2",
}


def upgrade() -> None:
    op.execute(DOCUMENT)
    for statement in OTHERS:
        op.execute(statement)
    with op.get_context().autocommit_block():
        for name, column in INDEXES.items():
            op.execute(
                f"create index concurrently if not exists {name} "
                f"on document (tenant_id, {column}) where {column} is not null"
            )
