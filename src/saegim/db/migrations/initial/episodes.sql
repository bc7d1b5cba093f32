-- Episodes (windows of turns), their vectors, and term counts for recall.

create table episode (
    tenant_id uuid not null,
    episode_id uuid not null,
    member_id uuid not null,
    profile_id uuid not null,
    session_id uuid not null,
    first_turn integer not null,
    last_turn integer not null,
    content bytea not null,
    said_at timestamptz not null,
    created_at timestamptz not null,
    primary key (tenant_id, episode_id),
    unique (tenant_id, session_id, first_turn, last_turn)
) partition by hash (tenant_id);

-- `own`, `own_length`, `marks` and `speaker` are of the last turn of the episode alone.
create table episode_vector (
    tenant_id uuid not null,
    member_id uuid not null,
    profile_id uuid not null,
    episode_id uuid not null,
    index_version smallint not null,
    embedding halfvec not null,
    terms sparsevec not null,
    session_id uuid,
    last_turn integer,
    said_at timestamptz,
    own sparsevec,
    own_length integer not null default 0,
    marks integer not null default 0,
    speaker integer not null default 0,
    changed xid8 not null default '1',
    primary key (tenant_id, member_id, profile_id, episode_id, index_version),
    foreign key (tenant_id, episode_id) references episode on delete cascade
) partition by hash (tenant_id);

-- Term 0 counts all rows.
create table term_count (
    tenant_id uuid not null,
    member_id uuid not null,
    profile_id uuid not null,
    index_version smallint not null,
    term integer not null,
    episodes integer not null default 0,
    records integer not null default 0,
    primary key (tenant_id, member_id, profile_id, index_version, term)
) partition by hash (tenant_id);

create index episode_by_person on episode (tenant_id, member_id);

create index on episode_vector (tenant_id, member_id, profile_id, changed) where changed > '0';

create trigger note_change before insert or update on episode_vector
for each row execute function note_change();

alter table episode_vector enable always trigger note_change;

-- Rows past 2 kB would be moved out of line, which makes recall three times slower.
do $$
declare part regclass;
begin
    for part in select inhrelid::regclass from pg_inherits
                where inhparent in ('memory_vector'::regclass, 'episode_vector'::regclass)
    loop
        execute format('alter table %s alter column embedding set storage plain', part);
        execute format('alter table %s alter column terms set storage plain', part);
        execute format('alter table %s set (toast_tuple_target = 8160)', part);
    end loop;
    for part in select inhrelid::regclass from pg_inherits
                where inhparent = 'episode_vector'::regclass
    loop
        execute format('alter table %s alter column own set storage plain', part);
    end loop;
end $$;
