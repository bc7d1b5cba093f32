-- name: defer_job
-- Queue a job with its priority, or without one while it is scheduled. `next_job_priority` makes
-- tenants take turns.
select unnest(procrastinate_defer_jobs_v1(array[row(
    'default', %(kind)s,
    case when %(due)s::timestamptz is null then next_job_priority(%(tenant)s::text, 1) else %(last)s end,
    %(lock)s, null,
    jsonb_build_object('tenant', %(tenant)s::text, 'subject', %(subject)s::text), %(due)s
)::procrastinate_job_to_defer_v1])) as id;


-- name: fetch_job
-- Fetch the first job whose lock is free and mark it as running.
select
    id, status::text, task_name, priority, lock, queueing_lock, args, scheduled_at, queue_name,
    attempts, worker_id
from job_fetch(%(worker)s);


-- name: fetch_without_model
-- Fetch the first job that calls no model and whose lock is free, and mark it as running.
select
    id, status::text, task_name, priority, lock, queueing_lock, args, scheduled_at, queue_name,
    attempts, worker_id
from job_fetch_without_model(%(worker)s);


-- name: fetch_watch
-- Fetch the first watch of a turn and mark it as running; watches have no lock.
select
    id, status::text, task_name, priority, lock, queueing_lock, args, scheduled_at, queue_name,
    attempts, worker_id
from job_fetch_watch(%(worker)s);


-- name: lock_pending
-- Lock a pending job of a kind and lock until the end of the transaction.
select id from procrastinate_jobs
where lock = %(lock)s and status = 'todo' and task_name = %(kind)s
    and args ->> 'tenant' = %(tenant)s::text
limit 1
for update skip locked;


-- name: place_due_jobs
-- Give due scheduled jobs their priority. Urgent kinds skip the other jobs of their tenant.
with due as (
    select id, task_name, args ->> 'tenant' as tenant, scheduled_at
    from procrastinate_jobs
    where status = 'todo' and scheduled_at <= now()
    order by scheduled_at, id
    limit %(most)s
    for update skip locked
), placed as (
    select
        id,
        case when task_name = any(%(urgent)s::text[]) then null else tenant end as behind,
        row_number() over (partition by tenant order by scheduled_at, id)::integer as ahead
    from due
)
update procrastinate_jobs job
set scheduled_at = null, priority = next_job_priority(placed.behind, placed.ahead)
from placed where job.id = placed.id;


-- name: drop_watch
-- Delete the waiting watch of a finished turn.
delete from procrastinate_jobs
where id = %(job)s and status = 'todo' and args ->> 'tenant' = %(tenant)s::text;


-- name: hasten_watch
-- Run the watch of a turn now.
update procrastinate_jobs set scheduled_at = null, priority = next_job_priority(null, 1)
where id = %(job)s and status = 'todo' and scheduled_at is not null
    and args ->> 'tenant' = %(tenant)s::text;


-- name: note_failure
-- Record the error of a job and count its failures; no row if the job is gone.
insert into job_failure (job_id, failures, error, at)
select id, %(count)s, %(error)s, %(now)s from procrastinate_jobs where id = %(job)s
on conflict (job_id) do update
set failures = job_failure.failures + excluded.failures, error = excluded.error, at = excluded.at
returning failures;


-- name: find_orphans
-- List running jobs of dead or silent workers, and of `worker`, whose fetch or end was lost with a
-- connection; without `running`, which `worker` runs.
select job.id, job.worker_id
from procrastinate_jobs job left join procrastinate_workers worker on worker.id = job.worker_id
where job.status = 'doing' and not job.id = any(%(running)s) and (
    worker.id is null
    or worker.last_heartbeat < now() - make_interval(secs => %(silent)s)
    or worker.id = %(worker)s
);


-- name: lock_orphan
-- Lock an orphan, unless another worker recovered it.
select attempts from procrastinate_jobs
where id = %(job)s and status = 'doing' and worker_id is not distinct from %(worker)s
for update;


-- name: release_orphan
-- End a lost run: the job waits again, or has failed.
update procrastinate_jobs
set status = %(status)s::procrastinate_job_status, attempts = attempts + 1, worker_id = null,
    abort_requested = false, scheduled_at = %(due)s, priority = coalesce(%(priority)s, priority)
where id = %(job)s;


-- name: list_jobs
-- List jobs for operators, oldest first.
select
    job.id, job.task_name as kind, job.status::text as status, job.args ->> 'tenant' as tenant,
    job.args ->> 'subject' as subject, job.lock, job.scheduled_at as due_at,
    coalesce(failure.failures, 0) as failures, failure.error, failure.at as failed_at,
    (select min(at) from procrastinate_events where job_id = job.id) as queued_at
from procrastinate_jobs job left join job_failure failure on failure.job_id = job.id
where job.status in ('todo', 'doing', 'failed')
    and (not %(only_failed)s or job.status = 'failed')
    and (%(job)s::bigint is null or job.id = %(job)s)
order by job.id
limit %(most)s;


-- name: replay_jobs
-- Queue one dead letter, or all, again.
with failed as (
    select id, args ->> 'tenant' as tenant from procrastinate_jobs
    where status = 'failed' and (%(job)s::bigint is null or id = %(job)s)
    for update
), placed as (
    select id, tenant, row_number() over (partition by tenant order by id)::integer as ahead
    from failed
), forgiven as (
    update job_failure set failures = 0 where job_id in (select id from failed)
)
update procrastinate_jobs job
set status = 'todo', attempts = 0, scheduled_at = null,
    priority = next_job_priority(placed.tenant, placed.ahead)
from placed where job.id = placed.id
returning job.id;


-- name: count_backlog
-- Count waiting and running jobs of a tenant, with the age of the oldest.
select
    (
        select count(*) from procrastinate_jobs
        where args ->> 'tenant' = %(tenant)s::text and status = 'todo' and scheduled_at is null
    ) as waiting,
    (
        select count(*) from procrastinate_jobs
        where status = 'doing' and args ->> 'tenant' = %(tenant)s::text
    ) as running,
    coalesce((
        select extract(epoch from now() - max(event.at))::float8 from procrastinate_events event
        where event.job_id = (
            select id from procrastinate_jobs
            where args ->> 'tenant' = %(tenant)s::text and status = 'todo'
                and scheduled_at is null
            order by -priority limit 1
        )
    ), 0) as lag_seconds;


-- name: list_failed
-- List failed jobs of a tenant, newest first.
select
    job.id, job.task_name as kind, coalesce(failure.failures, 0) as failures,
    coalesce(failure.error, '') as error,
    coalesce(failure.at, now()) as failed_at
from procrastinate_jobs job left join job_failure failure on failure.job_id = job.id
where job.status = 'failed' and job.args ->> 'tenant' = %(tenant)s::text
order by job.id desc
limit %(most)s;


-- name: replay_own_job
-- Queue a failed job of a tenant again.
with failed as (
    select id from procrastinate_jobs
    where id = %(job)s and status = 'failed' and args ->> 'tenant' = %(tenant)s::text
    for update
), forgiven as (
    update job_failure set failures = 0 where job_id in (select id from failed)
)
update procrastinate_jobs job
set status = 'todo', attempts = 0, scheduled_at = null,
    priority = next_job_priority(%(tenant)s::text, 1)
from failed where job.id = failed.id
returning job.id;
