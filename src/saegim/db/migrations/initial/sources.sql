-- Sources that are kept in sync, and what is known of their items.

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
);

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
);
