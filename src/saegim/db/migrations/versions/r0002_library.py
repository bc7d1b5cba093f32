"""The library: documents, sections, passages with their vectors, and how they come in."""

from alembic import op

from saegim.db.migrations.tenant_tables import fence, partition

revision = "0002"
down_revision = "0001"

TABLES = {
    "document": """
        create table document (
            tenant_id uuid not null references tenant,
            document_id uuid not null,
            collection_id uuid not null,
            outside_id text not null,
            lookup_key text not null,
            type text not null,
            title text,
            version text not null,
            metadata jsonb not null,
            source_id uuid,
            content_hash bytea,
            passages integer not null default 0,
            created_at timestamptz not null,
            updated_at timestamptz not null,
            primary key (tenant_id, document_id),
            unique (tenant_id, collection_id, outside_id),
            foreign key (tenant_id, collection_id) references collection
        )""",
    "section": """
        create table section (
            tenant_id uuid not null,
            section_id uuid not null,
            document_id uuid not null,
            ordinal integer not null,
            path text[] not null,
            primary key (tenant_id, section_id),
            foreign key (tenant_id, document_id) references document on delete cascade
        )""",
    "ingest": """
        create table ingest (
            tenant_id uuid not null,
            ingest_id uuid not null,
            collection_id uuid not null,
            type text not null,
            source_id uuid,
            cancel_requested boolean not null default false,
            created_at timestamptz not null,
            primary key (tenant_id, ingest_id),
            foreign key (tenant_id, collection_id) references collection
        )""",
    "ingest_file": """
        create table ingest_file (
            tenant_id uuid not null,
            file_id uuid not null,
            ingest_id uuid not null,
            name text not null,
            size bigint not null default 0,
            state text not null,
            documents integer not null default 0,
            passages integer not null default 0,
            stored integer not null default 0,
            embedded integer not null default 0,
            removed integer not null default 0,
            error text,
            created_at timestamptz not null,
            updated_at timestamptz not null,
            primary key (tenant_id, file_id),
            unique (tenant_id, ingest_id, name),
            foreign key (tenant_id, ingest_id) references ingest on delete cascade,
            check (state in (
                'receiving', 'waiting', 'reading', 'storing', 'done', 'failed', 'cancelled'
            ))
        )""",
    "file_part": """
        create table file_part (
            tenant_id uuid not null,
            file_id uuid not null,
            part integer not null,
            content bytea not null,
            primary key (tenant_id, file_id, part),
            foreign key (tenant_id, file_id) references ingest_file on delete cascade
        )""",
}

PARTITIONED = {
    "passage": """
        create table passage (
            tenant_id uuid not null,
            passage_id uuid not null,
            document_id uuid not null,
            section_id uuid not null,
            ordinal integer not null,
            text text not null,
            content_hash bytea not null,
            tokens integer not null,
            has_steps boolean not null,
            has_conditions boolean not null,
            has_table boolean not null,
            language text not null,
            names text[] not null,
            primary key (tenant_id, passage_id),
            foreign key (tenant_id, document_id) references document on delete cascade
        ) partition by hash (tenant_id)""",
    "passage_vector": """
        create table passage_vector (
            tenant_id uuid not null,
            passage_id uuid not null,
            embedder text not null,
            embedding halfvec not null,
            primary key (tenant_id, passage_id, embedder),
            foreign key (tenant_id, passage_id) references passage on delete cascade
        ) partition by hash (tenant_id)""",
    # What the search index has still to be told: the record changes first, the index follows.
    "index_change": """
        create table index_change (
            tenant_id uuid not null,
            change_id bigint generated always as identity,
            passage_id uuid not null,
            primary key (tenant_id, change_id)
        ) partition by hash (tenant_id)""",
}

INDEXES = [
    "create index passage_of_document on passage (tenant_id, document_id, ordinal)",
    "create index passage_of_section on passage (tenant_id, section_id, ordinal)",
    "create index section_of_document on section (tenant_id, document_id, ordinal)",
    "create index document_by_lookup_key on document (tenant_id, lookup_key)",
    "create index ingest_by_time on ingest (tenant_id, created_at)",
]

# The library's index has an embedder and a generation of its own, beside that of memory.
STATE = """
    insert into index_state (tenant_id, subject, index_version, embedder, dimensions, activated_at)
    select tenant_id, 'library', 0, embedder, dimensions, activated_at
    from index_state where subject = 'memory'
    on conflict do nothing
"""


def upgrade() -> None:
    for table, definition in TABLES.items():
        _run([definition, *fence(table)])
    for table, definition in PARTITIONED.items():
        _run([definition, *partition(table)])
    _run(INDEXES)
    # The owner is fenced too: the copy is made with the fence lowered, within this transaction.
    _run(["alter table index_state no force row level security", STATE])
    _run(["alter table index_state force row level security"])


def _run(statements: list[str]) -> None:
    for statement in statements:
        op.execute(statement)
