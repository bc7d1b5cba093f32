"""The files that documents were made of, in parts."""

from alembic import op

from saegim.db.migrations.tenant_tables import enable_row_security

revision = "0021"
down_revision = "0020"

# Documents of one file share its original. `owner_id` is the member whose key encrypts the parts.
ORIGINAL = """
create table original (
    tenant_id uuid not null references tenant,
    original_id uuid not null,
    collection_id uuid not null,
    file_hash bytea not null,
    name text not null,
    media_type text not null,
    size bigint not null,
    owner_id uuid,
    complete boolean not null default false,
    created_at timestamptz not null,
    primary key (tenant_id, original_id),
    foreign key (tenant_id, collection_id) references collection on delete cascade
)
"""
PART = """
create table original_part (
    tenant_id uuid not null,
    original_id uuid not null,
    part integer not null,
    content bytea not null,
    primary key (tenant_id, original_id, part),
    foreign key (tenant_id, original_id) references original on delete cascade
)
"""
BY_FILE = "create index original_by_file on original (tenant_id, collection_id, file_hash)"
BY_TIME = "create index original_by_time on original (tenant_id, created_at)"
BY_OWNER = """
create index original_by_owner on original (tenant_id, owner_id) where owner_id is not null
"""
OF_ORIGINAL = """
create index concurrently if not exists document_of_original
on document (tenant_id, original_id) where original_id is not null
"""


def upgrade() -> None:
    for statement in (ORIGINAL, PART, BY_FILE, BY_TIME, BY_OWNER):
        op.execute(statement)
    for table in ("original", "original_part"):
        for statement in enable_row_security(table):
            op.execute(statement)
    op.execute("alter table document add column if not exists original_id uuid")
    with op.get_context().autocommit_block():
        op.execute(OF_ORIGINAL)
