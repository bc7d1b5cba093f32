"""Sources that are kept in sync, what is known of their items, and upkeep of every index.

Expands only: the release before leaves the new columns empty.
"""

from alembic import op

from saegim.db.migrations.tenant_tables import fence

revision = "0004"
down_revision = "0003"

STATEMENTS = [
    """
    create table source (
        tenant_id uuid not null,
        source_id uuid not null,
        collection_id uuid not null,
        kind text not null,
        type text not null,
        config jsonb not null,
        secret bytea,
        every_seconds integer not null,
        limits jsonb not null,
        removing boolean not null default false,
        created_at timestamptz not null,
        run_id uuid,
        synced_at timestamptz,
        error text,
        listed integer not null default 0,
        changed integer not null default 0,
        unchanged integer not null default 0,
        failed integer not null default 0,
        removed integer not null default 0,
        bytes bigint not null default 0,
        primary key (tenant_id, source_id),
        foreign key (tenant_id, collection_id) references collection,
        check (kind in ('folder', 'urls', 'sitemap', 's3'))
    )
    """,
    *fence("source"),
    """
    create table source_item (
        tenant_id uuid not null,
        source_id uuid not null,
        key text not null,
        version text,
        etag text,
        modified text,
        content_hash bytea,
        file_id uuid,
        seen_in uuid,
        gone boolean not null default false,
        error text,
        primary key (tenant_id, source_id, key),
        foreign key (tenant_id, source_id) references source on delete cascade
    )
    """,
    *fence("source_item"),
    "alter table document add column source_key text, add column source_file uuid",
    "create index document_of_source on document (tenant_id, source_id, source_key)",
    "alter table ingest_file add column media_type text",
]

# Indexes that are there already are looked after too; new ones begin with their first document.
# The release before does not know this job, so none is due while it may still run.
TEND = """
    select procrastinate_defer_jobs_v1(array[row(
        'default', 'tend_index', -2147483647, 'index:' || tenant_id, null,
        jsonb_build_object('tenant', tenant_id::text, 'subject', tenant_id::text),
        now() + interval '8 hours'
    )::procrastinate_job_to_defer_v1])
    from index_state where subject = 'library' and index_version > 0
"""


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
    # The owner is fenced too: the rows are read with the fence lowered, within this transaction.
    op.execute("alter table index_state no force row level security")
    op.execute(TEND)
    op.execute("alter table index_state force row level security")
