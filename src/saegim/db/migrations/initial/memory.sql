-- Long-term memory: records with their versions and vectors, digests, consent, imports.

-- `body` is sealed. The natural key is hashed with the user's own key and profile, so no two users
-- share one. A record's id sorts by when it was said.
create table memory (
    tenant_id uuid not null,
    memory_id uuid not null,
    member_id uuid not null,
    profile_id uuid not null,
    natural_hash bytea not null,
    type text not null,
    body bytea not null,
    importance real not null,
    said_at timestamptz not null,
    valid_from timestamptz,
    valid_to timestamptz,
    sources uuid[] not null,
    version integer not null,
    origin text not null,
    pii text[] not null,
    core boolean not null,
    pinned boolean not null,
    retention text,
    superseded_by uuid,
    ended_at timestamptz,
    forgotten_at timestamptz,
    created_at timestamptz not null,
    changed_at timestamptz not null,
    redactions uuid[],
    primary key (tenant_id, member_id, profile_id, memory_id),
    unique (tenant_id, natural_hash),
    check (origin in ('model', 'fallback', 'person')),
    check (type in (
        'fact', 'preference', 'constraint', 'decision', 'todo', 'timeline', 'profile',
        'note'
    ))
) partition by hash (tenant_id);

create table memory_version (
    tenant_id uuid not null,
    member_id uuid not null,
    profile_id uuid not null,
    memory_id uuid not null,
    version integer not null,
    type text not null,
    body bytea not null,
    importance real not null,
    valid_from timestamptz,
    valid_to timestamptz,
    origin text not null,
    pii text[] not null,
    changed_at timestamptz not null,
    primary key (tenant_id, member_id, profile_id, memory_id, version),
    foreign key (tenant_id, member_id, profile_id, memory_id) references memory
        on delete cascade
) partition by hash (tenant_id);

-- All that a scan needs of a record, in one narrow table.
create table memory_vector (
    tenant_id uuid not null,
    member_id uuid not null,
    profile_id uuid not null,
    memory_id uuid not null,
    index_version smallint not null,
    said_at timestamptz not null,
    valid_from timestamptz not null,
    ended_at timestamptz,
    forgotten boolean not null default false,
    type text not null,
    importance real not null,
    embedding halfvec not null,
    terms sparsevec not null,
    changed xid8 not null default '1',
    primary key (tenant_id, member_id, profile_id, memory_id, index_version),
    foreign key (tenant_id, member_id, profile_id, memory_id) references memory
        on delete cascade
) partition by hash (tenant_id);

create table digest (
    tenant_id uuid not null,
    digest_id uuid not null,
    member_id uuid not null,
    profile_id uuid not null,
    natural_hash bytea not null,
    body bytea not null,
    sources uuid[] not null,
    first_said_at timestamptz not null,
    last_said_at timestamptz not null,
    created_at timestamptz not null,
    primary key (tenant_id, digest_id),
    unique (tenant_id, member_id, profile_id, natural_hash)
);

create table consent (
    tenant_id uuid not null,
    subject_id uuid not null,
    subject text not null,
    allowed boolean not null,
    changed_at timestamptz not null,
    primary key (tenant_id, subject_id),
    check (subject in ('tenant', 'user', 'session'))
);

-- One row for a turn: whether it was extracted, or the output that could not be read.
create table extraction (
    tenant_id uuid not null,
    turn_id uuid not null,
    member_id uuid not null,
    origin text,
    error text,
    output bytea,
    attempts integer not null,
    at timestamptz not null,
    primary key (tenant_id, turn_id),
    check ((origin is null) <> (error is null))
);

-- Imports wait here, sealed, until a job has stored them.
create table memory_import (
    tenant_id uuid not null references tenant,
    import_id uuid not null,
    member_id uuid not null,
    profile_id uuid not null,
    digest bytea not null,
    body bytea,
    total integer not null,
    done integer not null default 0,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (tenant_id, import_id)
);

-- The transaction that wrote a row last. A process that caches a user's memory reads only what is
-- newer. The number is the server's own, so the triggers also fire for rows of a move or a restore.
create function note_change() returns trigger language plpgsql as $$
begin
    new.changed := pg_current_xact_id();
    return new;
end $$;

create index memory_kept on memory (tenant_id, member_id, profile_id)
where (core or pinned) and forgotten_at is null;

create index memory_forgotten on memory (tenant_id, forgotten_at)
where forgotten_at is not null;

create index memory_by_successor on memory (tenant_id, superseded_by)
where superseded_by is not null;

create index memory_by_age on memory (tenant_id, type, said_at)
where forgotten_at is null and not core and not pinned;

create index memory_by_weight on memory (tenant_id, importance)
where forgotten_at is null and not core and not pinned;

create index on memory_vector (tenant_id, member_id, profile_id, changed) where changed > '0';

create trigger note_change before insert or update on memory_vector
for each row execute function note_change();

alter table memory_vector enable always trigger note_change;

create index digest_by_person on digest (tenant_id, member_id, profile_id, digest_id);

create index extraction_failed on extraction (tenant_id, at) where error is not null;

create index extraction_by_fallback on extraction (tenant_id, turn_id) where origin = 'fallback';

create index extraction_by_person on extraction (tenant_id, member_id);

create unique index waiting_import on memory_import (tenant_id, member_id, profile_id, digest)
where body is not null;

create index import_by_person on memory_import (tenant_id, member_id);

create index import_by_time on memory_import (tenant_id, updated_at) where body is null;
