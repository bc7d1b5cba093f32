-- Usage events and feedback.

-- Counts only, never text of a conversation.
create table usage_event (
    tenant_id uuid not null references tenant,
    turn_id uuid not null,
    member_id uuid not null,
    assistant_id uuid not null,
    kind text not null,
    outcome text not null,
    event jsonb not null,
    occurred_at timestamptz not null,
    primary key (tenant_id, turn_id)
);

create table feedback (
    tenant_id uuid not null,
    turn_id uuid not null,
    member_id uuid not null,
    thumb text not null,
    correction bytea,
    created_at timestamptz not null,
    for_evaluation boolean not null default false,
    primary key (tenant_id, turn_id),
    check (thumb in ('up', 'down'))
);

create index usage_event_by_time on usage_event (tenant_id, assistant_id, occurred_at);

create index usage_event_by_person on usage_event (tenant_id, member_id);

create index usage_event_of_tenant on usage_event (tenant_id, occurred_at);

create index feedback_by_person on feedback (tenant_id, member_id);

create index feedback_for_evaluation on feedback (tenant_id, created_at) where for_evaluation;
