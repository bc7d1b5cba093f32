-- Sessions, their turns, traces and running summaries.

-- `completed_turns` counts the turns that have text. A copy in Redis carries the number it was made at, so
-- that one that missed a turn is known to be old.
create table session (
    tenant_id uuid not null references tenant,
    session_id uuid not null,
    member_id uuid not null,
    profile_id uuid not null,
    assistant_id uuid not null,
    name_hash bytea,
    last_turn integer not null default 0,
    completed_turns integer not null default 0,
    created_at timestamptz not null,
    used_at timestamptz not null,
    summary_version integer not null default 0,
    primary key (tenant_id, session_id),
    unique (tenant_id, member_id, profile_id, name_hash),
    foreign key (tenant_id, profile_id) references profile,
    foreign key (tenant_id, assistant_id) references assistant
);

-- `doc_ids` is sealed: which documents a reply used reveals what was asked. `text_shown`: readers
-- saw text of this turn that no stream buffer has.
create table turn (
    tenant_id uuid not null,
    turn_id uuid not null,
    session_id uuid not null,
    member_id uuid not null,
    profile_id uuid not null,
    assistant_id uuid not null,
    number integer not null,
    state text not null,
    message bytea not null,
    inputs bytea,
    reply bytea,
    error text,
    idempotency_hash bytea,
    request_hash bytea not null,
    attempt integer not null,
    lease_owner uuid,
    lease_until timestamptz,
    cancel_requested boolean not null default false,
    watch_job bigint,
    created_at timestamptz not null,
    settled_at timestamptz,
    tokens integer,
    doc_ids bytea,
    redactions jsonb,
    outdated jsonb,
    text_shown boolean not null default false,
    primary key (tenant_id, turn_id),
    unique (tenant_id, session_id, number),
    unique (tenant_id, member_id, idempotency_hash),
    foreign key (tenant_id, session_id) references session,
    check (state in ('received', 'running', 'done', 'incomplete', 'failed'))
) partition by hash (tenant_id);

create table turn_trace (
    tenant_id uuid not null,
    turn_id uuid not null,
    member_id uuid not null,
    trace bytea not null,
    created_at timestamptz not null,
    primary key (tenant_id, turn_id)
);

-- One row for a session, replaced by each summary: it is state, not a log.
create table session_summary (
    tenant_id uuid not null,
    session_id uuid not null,
    member_id uuid not null,
    summary_version integer not null,
    summarised_through integer not null,
    summary bytea not null,
    entities bytea not null,
    made_by text not null,
    updated_at timestamptz not null,
    primary key (tenant_id, session_id),
    foreign key (tenant_id, session_id) references session on delete cascade,
    check (made_by in ('model', 'fallback'))
);

create index session_by_use on session (tenant_id, used_at);

create index turn_trace_by_person on turn_trace (tenant_id, member_id);

create index session_summary_by_person on session_summary (tenant_id, member_id);
