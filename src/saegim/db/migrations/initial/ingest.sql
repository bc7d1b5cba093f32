-- Uploads on their way into the library.

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
);

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
    media_type text,
    primary key (tenant_id, file_id),
    unique (tenant_id, ingest_id, name),
    foreign key (tenant_id, ingest_id) references ingest on delete cascade,
    check (state in (
        'receiving', 'waiting', 'reading', 'storing', 'done', 'failed', 'cancelled'
    ))
);

create table file_part (
    tenant_id uuid not null,
    file_id uuid not null,
    part integer not null,
    content bytea not null,
    primary key (tenant_id, file_id, part),
    foreign key (tenant_id, file_id) references ingest_file on delete cascade
);

create index ingest_by_time on ingest (tenant_id, created_at);

create index upload_by_time on ingest_file (tenant_id, updated_at) where state = 'receiving';
