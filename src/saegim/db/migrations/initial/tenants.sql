-- Tenants, the cell that holds each of them, moves between cells, and how a tenant's
-- transaction begins.

create table tenant (
    tenant_id uuid primary key,
    name text not null,
    created_at timestamptz not null
);

create table tenant_directory (
    tenant_id uuid primary key,
    cell text not null,
    changed_at timestamptz not null
);

-- `since` is the oldest transaction of the source cell that the copy may lack. After the switch it
-- is one of the target cell, for the way back.
create table tenant_move (
    tenant_id uuid primary key references tenant_directory,
    from_cell text not null,
    to_cell text not null,
    state text not null default 'copying',
    copied text[] not null default '{}',
    since bigint,
    started_at timestamptz not null,
    switched_at timestamptz,
    check (state in ('copying', 'switched')),
    check (from_cell <> to_cell)
);

-- Each statement of a volatile function sees what was committed before it: the cell is read after
-- the lock that a tenant move takes exclusively.
create function begin_tenant_read(wanted uuid) returns text language plpgsql volatile as $$
begin
    perform set_config('transaction_read_only', 'on', true),
        set_config('app.tenant', wanted::text, true);
    return (select cell from tenant_directory where tenant_id = wanted);
end $$;

create function begin_tenant_write(wanted uuid) returns text language plpgsql volatile as $$
begin
    perform set_config('app.tenant', wanted::text, true),
        pg_advisory_xact_lock_shared(hashtextextended(wanted::text, 7323445146));
    return (select cell from tenant_directory where tenant_id = wanted);
end $$;
