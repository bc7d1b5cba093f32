-- What the job queue adds to Procrastinate's schema.

-- Why a job failed: a class name, no content. It goes with the job.
create table job_failure (
    job_id bigint primary key references procrastinate_jobs on delete cascade,
    failures integer not null,
    error text not null,
    at timestamptz not null
);

-- Notifies workers of jobs that may start now: the next of a released lock, and a job that was
-- queued again.
create function wake_workers() returns trigger language plpgsql as $$
begin
    perform pg_notify(
        'procrastinate_any_queue_v1',
        '{"type": "job_inserted", "job_id": 0}'
    );
    return null;
end $$;

-- Procrastinate's own fetch compares every waiting job with all of its lock, which takes 180 ms for
-- 2,500 jobs. This one walks the queue once, past the locks that are taken.
create function job_fetch(for_worker bigint) returns setof procrastinate_jobs
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
begin
    return query
    with taken as materialized (
        select array_agg(lock) as locks from procrastinate_jobs
        where status = 'doing' and lock is not null
    ), candidate as materialized (
        select job.id from procrastinate_jobs job
        where job.status = 'todo' and job.scheduled_at is null
            and job.priority >= -2000000000
            and (
                job.lock is null
                or (
                    job.lock <> all(coalesce((select locks from taken), '{}'))
                    and job.id = (
                        select first.id from procrastinate_jobs first
                        where first.lock = job.lock and first.status = 'todo'
                        order by -first.priority, first.id limit 1
                    )
                )
            )
        order by job.priority desc, job.id
        limit 1
        for update of job skip locked
    )
    update procrastinate_jobs job set status = 'doing', worker_id = for_worker
    where job.id = (select id from candidate)
    returning job.*;
end $$;

-- The priority of a new job, as minus a virtual clock: past what runs, past the one before the first
-- that waits, past its tenant's own last. So tenants take turns and each keeps its order. Jobs that
-- wait for their time have no priority yet. The queue is empty at one moment and long at the next, so
-- these functions must not depend on statistics: an order with a limit leaves the planner one index.
create function next_job_priority(of_tenant text, ahead integer) returns integer
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
begin
    return -least(2000000000, ahead + greatest(
        coalesce((
            select -priority from procrastinate_jobs
            where status = 'doing' order by priority limit 1
        ), 0),
        coalesce((
            select -priority - 1 from procrastinate_jobs
            where status = 'todo' and priority >= -2000000000
            order by priority desc, id limit 1
        ), 0),
        coalesce((
            select -priority from procrastinate_jobs
            where args ->> 'tenant' = of_tenant and status = 'todo' and scheduled_at is null
            order by -priority desc limit 1
        ), 0)
    ));
end $$;

-- Fetches only watches of turns, for the slot that workers keep for them.
create function job_fetch_watch(for_worker bigint) returns setof procrastinate_jobs
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
begin
    return query
    with candidate as materialized (
        select job.id from procrastinate_jobs job
        where job.status = 'todo' and job.scheduled_at is null
            and job.task_name = 'watch_turn' and job.priority >= -2000000000
        order by -job.priority, job.id
        limit 1
        for update of job skip locked
    )
    update procrastinate_jobs job set status = 'doing', worker_id = for_worker
    where job.id = (select id from candidate)
    returning job.*;
end $$;

create trigger wake_workers_after_update
after update of status, scheduled_at on procrastinate_jobs
for each row when (
    (old.status = 'doing' and new.status <> 'doing' and old.lock is not null)
    or (
        new.status = 'todo' and new.scheduled_at is null
        and (old.status <> 'todo' or old.scheduled_at is not null)
    )
)
execute function wake_workers();

create trigger wake_workers_after_delete after delete on procrastinate_jobs
for each row when (old.status = 'doing' and old.lock is not null)
execute function wake_workers();

create index job_running on procrastinate_jobs (priority) where status = 'doing';

create index job_scheduled on procrastinate_jobs (scheduled_at)
where status = 'todo' and scheduled_at is not null;

create index job_failed on procrastinate_jobs (id) where status = 'failed';

create index job_by_lock on procrastinate_jobs (lock, (-priority), id)
where status = 'todo';

create index job_by_tenant on procrastinate_jobs ((args ->> 'tenant'), (-priority))
where status = 'todo' and scheduled_at is null;

create index job_watch on procrastinate_jobs ((-priority), id)
where status = 'todo' and scheduled_at is null and task_name = 'watch_turn';
