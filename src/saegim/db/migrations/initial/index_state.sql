-- Which embedder and which build each search index uses.

create table index_state (
    tenant_id uuid not null references tenant,
    subject text not null,
    index_version smallint not null,
    embedder text not null,
    dimensions integer not null,
    activated_at timestamptz not null,
    primary key (tenant_id, subject)
);

-- How many indexes of the cell use each embedder, so that a start knows what to provide. It names
-- no tenant, so every process may read it.
create table embedder_use (
    embedder text primary key,
    indexes bigint not null
);

-- A build of the library's index in progress: passages up to `after` are in it.
create table index_build (
    tenant_id uuid primary key references tenant,
    index_version smallint not null,
    embedder text not null,
    dimensions integer not null,
    after uuid not null,
    passages integer not null default 0,
    started_at timestamptz not null
);

-- The newest move of a tenant to another embedder, finished or not.
create table reembed (
    tenant_id uuid primary key references tenant,
    embedder text not null,
    dimensions integer not null,
    state text not null,
    cursors jsonb not null,
    embedded integer not null default 0,
    total integer not null,
    started_at timestamptz not null,
    switched_at timestamptz,
    check (state in ('running', 'switched', 'abandoned'))
);

-- Indexes that served before, kept for readers that still use them, then dropped.
create table retired_index (
    tenant_id uuid not null references tenant,
    subject text not null,
    index_version smallint not null,
    embedder text not null,
    retired_at timestamptz not null,
    primary key (tenant_id, subject, index_version)
);

create function count_embedder_use() returns trigger language plpgsql as $$
begin
    if tg_op <> 'INSERT' then
        update embedder_use set indexes = indexes - 1 where embedder = old.embedder;
    end if;
    if tg_op <> 'DELETE' then
        insert into embedder_use (embedder, indexes) values (new.embedder, 1)
        on conflict (embedder) do update set indexes = embedder_use.indexes + 1;
    end if;
    return null;
end $$;

create trigger count_embedder_use after insert or delete or update of embedder on index_state
for each row execute function count_embedder_use();
