-- Assistants with their versions, and collections of documents.

create table collection (
    tenant_id uuid not null references tenant,
    collection_id uuid not null,
    name text not null,
    audience text[] not null default '{}',
    created_at timestamptz not null,
    owner_id uuid,
    primary key (tenant_id, collection_id),
    unique (tenant_id, name)
);

create table assistant (
    tenant_id uuid not null references tenant,
    assistant_id uuid not null,
    name text not null,
    persona text not null,
    policy text not null,
    locale text not null,
    created_at timestamptz not null,
    config jsonb not null default '{}',
    published integer,
    primary key (tenant_id, assistant_id),
    unique (tenant_id, name)
);

create table assistant_collection (
    tenant_id uuid not null,
    assistant_id uuid not null,
    collection_id uuid not null,
    primary key (tenant_id, assistant_id, collection_id),
    foreign key (tenant_id, assistant_id) references assistant on delete cascade,
    foreign key (tenant_id, collection_id) references collection on delete cascade
);

create table assistant_version (
    tenant_id uuid not null,
    assistant_id uuid not null,
    version integer not null,
    state text not null,
    content jsonb not null,
    made_by uuid not null,
    created_at timestamptz not null,
    published_at timestamptz,
    primary key (tenant_id, assistant_id, version),
    foreign key (tenant_id, assistant_id) references assistant on delete cascade,
    check (state in ('draft', 'published', 'retired'))
);

create unique index collection_of_person on collection (tenant_id, owner_id)
where owner_id is not null;
