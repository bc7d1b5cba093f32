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
