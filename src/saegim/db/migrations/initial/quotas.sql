-- What a tenant may use in a window. The settings decide where no row does.

create table usage_limit (
    tenant_id uuid not null references tenant,
    subject text not null,
    resource text not null,
    window_seconds integer not null,
    most bigint not null,
    primary key (tenant_id, subject, resource, window_seconds),
    check (subject in ('key', 'user', 'tenant')),
    check (resource in ('requests', 'tokens', 'microdollars'))
);
