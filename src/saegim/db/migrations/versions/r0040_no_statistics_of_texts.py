"""Keep texts and names of documents out of the planner's statistics.

They hold samples of the rows, which survive an erasure until the next ANALYZE."""

from alembic import op

revision = "0040"
down_revision = "0039"

COLUMNS = (
    ("document", "outside_id", "text"),
    ("document", "lookup_key", "text"),
    ("document", "title", "text"),
    ("document", "metadata", "jsonb"),
    ("document", "source_key", "text"),
    ("section", "path", "text[]"),
    ("passage", "text", "text"),
    ("passage", "names", "text[]"),
    ("ingest_file", "name", "text"),
    ("ingest_file", "error", "text"),
    ("original", "name", "text"),
)


# Setting the same type drops the statistics that exist; it rewrites no row and no index.
STATEMENTS = [
    f"alter table {table} alter column {column} {change}"
    for table, column, kind in COLUMNS
    for change in (f"type {kind}", "set statistics 0")
]


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
