-- name: lock_tenant
-- A tenant, held while settings of its own change: one at a time.
select tenant_id from tenant where tenant_id = %(tenant)s for no key update;


-- name: find_cell
-- The cell that holds a tenant.
select cell from tenant_directory where tenant_id = %(tenant)s;


-- name: set_cell
-- Where a tenant lives.
insert into tenant_directory (tenant_id, cell, changed_at)
values (%(tenant)s, %(cell)s, %(now)s)
on conflict (tenant_id) do update set cell = excluded.cell, changed_at = excluded.changed_at;


-- name: store_health
-- Versions, the schema's revision, what the role could do that it must not, workers and their lag.
-- A job waits since it was deferred, handed back or due; the oldest hundred tell the lag.
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
-- The embedders that indexes of this cell are made with, whosever they are.
select embedder from saegim.embedder_use where indexes > 0 order by embedder;


-- name: server_identity
-- The cluster's own id: two databases with the same one share a server and its backups.
select system_identifier from pg_control_system();


-- name: sees_all_tenants
-- Whether this login is above the fence between tenants.
select rolsuper or rolbypassrls as above from pg_roles where rolname = current_user;


-- name: index_uses
-- Across tenants, for operators: which embedder their indexes were made with.
select subject, embedder, dimensions, count(*) as tenants
from saegim.index_state
group by subject, embedder, dimensions
order by subject, embedder, dimensions;


-- name: all_tenants
-- Across tenants, for operators: everyone there is, oldest first.
select tenant_id from saegim.tenant order by created_at, tenant_id;


-- name: stored_revision
-- The revision of the schema.
select version_num from saegim.schema_revision;
