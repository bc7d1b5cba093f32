-- Webhooks and their deliveries.

-- `secret` is sealed with the tenant's key.
create table webhook (
    tenant_id uuid not null references tenant,
    webhook_id uuid not null,
    url text not null,
    events text[] not null,
    secret bytea not null,
    created_at timestamptz not null,
    primary key (tenant_id, webhook_id)
);

-- Ids and times; the receiver reads the rest with a credential.
create table webhook_delivery (
    tenant_id uuid not null,
    delivery_id uuid not null,
    webhook_id uuid not null,
    event text not null,
    subject_id uuid not null,
    state text not null default 'waiting',
    attempts integer not null default 0,
    status integer,
    error text,
    created_at timestamptz not null,
    settled_at timestamptz,
    primary key (tenant_id, delivery_id),
    foreign key (tenant_id, webhook_id) references webhook on delete cascade,
    check (state in ('waiting', 'delivered', 'failed'))
);

create index webhook_delivery_by_hook
    on webhook_delivery (tenant_id, webhook_id, delivery_id);
