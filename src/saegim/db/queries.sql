-- name: lock_tenant
-- Lock a tenant while its settings change.
select tenant_id from tenant where tenant_id = %(tenant)s for no key update;


-- name: find_cell
-- Find the cell of a tenant.
select cell from tenant_directory where tenant_id = %(tenant)s;


-- name: set_cell
-- Set the cell of a tenant.
insert into tenant_directory (tenant_id, cell, changed_at)
values (%(tenant)s, %(cell)s, %(now)s)
on conflict (tenant_id) do update set cell = excluded.cell, changed_at = excluded.changed_at;


-- name: store_health
-- Check versions, schema revision, excess rights of the role, workers and lag. A job waits since it
-- was queued, handed back or due; the lag is that of the oldest hundred.
select
    current_setting('server_version') as server,
    (select extversion from pg_extension where extname = 'vector') as vector,
    (select version_num from saegim.schema_revision) as revision,
    exists (
        select from pg_roles
        where (rolsuper or rolbypassrls) and pg_has_role(current_user, oid, 'member')
    ) as can_bypass,
    exists (
        select from pg_class
        where relnamespace = 'saegim'::regnamespace and pg_has_role(current_user, relowner, 'member')
    ) as owns_tables,
    (
        select count(*) from saegim.procrastinate_workers
        where last_heartbeat > now() - interval '10 seconds'
    ) as workers,
    (
        select extract(epoch from now() - max(last_heartbeat))::float8 from saegim.procrastinate_workers
    ) as heartbeat_seconds,
    (
        select count(*) from saegim.procrastinate_jobs
        where status = 'todo' and (scheduled_at is null or scheduled_at <= now())
    ) as waiting,
    coalesce((
        select extract(epoch from now() - min(ready_at))::float8
        from (
            select (
                select least(max(e.at), now()) from saegim.procrastinate_events e
                where e.job_id = j.id
                    and e.type in ('deferred', 'deferred_for_retry', 'retried', 'scheduled')
            ) as ready_at
            from saegim.procrastinate_jobs j
            where j.status = 'todo' and (j.scheduled_at is null or j.scheduled_at <= now())
            order by j.id limit 100
        ) as oldest
    ), 0) as lag_seconds,
    (select count(*) from saegim.procrastinate_jobs where status = 'failed') as failed,
    current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as connections;


-- name: embedders_in_use
-- List the embedders of all indexes of this cell.
select embedder from saegim.embedder_use where indexes > 0 order by embedder;


-- name: server_identity
-- Read the ID of the server: databases with the same ID share its backups.
select system_identifier from pg_control_system();


-- name: sees_all_tenants
-- Check whether this login bypasses row-level security.
select rolsuper or rolbypassrls as above from pg_roles where rolname = current_user;


-- name: index_uses
-- Count tenants by the embedder of their indexes, for operators.
select subject, embedder, dimensions, count(*) as tenants
from saegim.index_state
group by subject, embedder, dimensions
order by subject, embedder, dimensions;


-- name: all_tenants
-- List all tenants, oldest first, for operators.
select tenant_id, name, created_at from saegim.tenant order by created_at, tenant_id;


-- name: stored_revision
-- Read the revision of the schema.
select version_num from saegim.schema_revision;
