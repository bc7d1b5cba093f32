-- Documents, sections, passages with their vectors, and how each tenant ranks.

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
    source_key text,
    source_file uuid,
    bytes bigint not null default 0,
    primary key (tenant_id, document_id),
    unique (tenant_id, collection_id, outside_id),
    foreign key (tenant_id, collection_id) references collection
);

create table section (
    tenant_id uuid not null,
    section_id uuid not null,
    document_id uuid not null,
    ordinal integer not null,
    path text[] not null,
    primary key (tenant_id, section_id),
    foreign key (tenant_id, document_id) references document on delete cascade
);

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
) partition by hash (tenant_id);

create table passage_vector (
    tenant_id uuid not null,
    passage_id uuid not null,
    embedder text not null,
    embedding halfvec not null,
    primary key (tenant_id, passage_id, embedder),
    foreign key (tenant_id, passage_id) references passage on delete cascade
) partition by hash (tenant_id);

-- Changes that the search index has not applied yet.
create table index_change (
    tenant_id uuid not null,
    change_id bigint generated always as identity,
    passage_id uuid not null,
    primary key (tenant_id, change_id)
) partition by hash (tenant_id);

-- One row for each tenant that differs from the defaults.
create table ranking (
    tenant_id uuid primary key references tenant,
    weights jsonb,
    faq integer,
    other integer,
    updated_at timestamptz not null,
    check (faq >= 0 and other >= 0)
);

create index document_by_lookup_key on document (tenant_id, lookup_key);

create index document_of_source on document (tenant_id, source_id, source_key);

create index section_of_document on section (tenant_id, document_id, ordinal);

create index passage_of_document on passage (tenant_id, document_id, ordinal);

create index passage_of_section on passage (tenant_id, section_id, ordinal);
