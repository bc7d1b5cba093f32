-- The append-only audit trail, and erasures with their receipts.

create table audit_event (
    tenant_id uuid not null,
    event_id uuid not null,
    member_id uuid not null,
    profile_id uuid not null,
    subject_id uuid not null,
    action text not null,
    actor text not null,
    reason bytea,
    at timestamptz not null,
    actor_id uuid,
    key_id uuid,
    origin text,
    sealed_in integer,
    reason_digest bytea,
    primary key (tenant_id, event_id)
);

-- A batch of events, chained to the one before by a keyed hash.
create table audit_seal (
    tenant_id uuid not null references tenant,
    number integer not null,
    events integer not null,
    digest bytea not null,
    sealed_at timestamptz not null,
    primary key (tenant_id, number)
);

-- Kept after the user is erased: ids, counts and times, no content. `reason` is sealed with the
-- tenant's key.
create table erasure (
    tenant_id uuid not null references tenant,
    erasure_id uuid not null,
    member_id uuid not null,
    requested_by uuid not null,
    reason bytea,
    state text not null,
    requested_at timestamptz not null,
    key_destroyed_at timestamptz,
    done_at timestamptz,
    receipt jsonb,
    signature bytea,
    runs_at timestamptz not null default now(),
    primary key (tenant_id, erasure_id),
    check (state in ('planned', 'started', 'key_destroyed', 'done', 'cancelled'))
);

-- Append-only. A key rotation may seal a reason anew, and sealing a batch marks its events.
create function keep_audit_event() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' then
        raise exception 'the audit trail is append-only' using errcode = '42501';
    end if;
    if (new.tenant_id, new.event_id, new.member_id, new.profile_id, new.subject_id, new.action,
        new.actor, new.at, new.actor_id, new.key_id, new.origin)
        is distinct from
        (old.tenant_id, old.event_id, old.member_id, old.profile_id, old.subject_id, old.action,
        old.actor, old.at, old.actor_id, old.key_id, old.origin)
        or (old.sealed_in is not null and new.sealed_in is distinct from old.sealed_in)
        or (old.sealed_in is not null and new.reason_digest is distinct from old.reason_digest)
    then
        raise exception 'the audit trail is append-only' using errcode = '42501';
    end if;
    return new;
end $$;

create index audit_by_person on audit_event (tenant_id, member_id, profile_id, event_id);

create index audit_by_subject on audit_event (tenant_id, subject_id, event_id);

create index audit_unsealed on audit_event (tenant_id, event_id) where sealed_in is null;

create index audit_by_seal on audit_event (tenant_id, sealed_in, event_id);

create trigger keep_audit_event before update or delete on audit_event
for each row execute function keep_audit_event();

create index erasure_by_person on erasure (tenant_id, member_id);
