"""The line of jobs costs the same whatever the planner was last told of it.

A queue that ran empty is analysed as empty, and the next ten thousand jobs come before the planner
hears of them. It then takes every index for equally short, and once read all that wait for each job
that was placed or fetched. Now only one index gives each order that is asked for.
"""

from alembic import op

revision = "0013"
down_revision = "0012"

STATEMENTS = [
    "drop index job_by_lock",
    """
    create index job_by_lock on procrastinate_jobs (lock, (-priority), id)
    where status = 'todo'
    """,
    "drop index job_by_tenant",
    """
    create index job_by_tenant on procrastinate_jobs ((args ->> 'tenant'), (-priority))
    where status = 'todo' and scheduled_at is null
    """,
    """
    create or replace function job_place(of_tenant text, ahead integer) returns integer
    language plpgsql stable
    set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
    begin
        return -least(2000000000, ahead + greatest(
            coalesce((select -min(priority) from procrastinate_jobs where status = 'doing'), 0),
            coalesce((
                select -max(priority) - 1 from procrastinate_jobs
                where status = 'todo' and priority >= -2000000000
            ), 0),
            coalesce((
                select -priority from procrastinate_jobs
                where args ->> 'tenant' = of_tenant and status = 'todo' and scheduled_at is null
                order by -priority desc limit 1
            ), 0)
        ));
    end $$
    """,
    """
    create or replace function job_fetch(for_worker bigint) returns setof procrastinate_jobs
    language plpgsql
    set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
    begin
        return query
        with held as materialized (
            select array_agg(lock) as locks from procrastinate_jobs
            where status = 'doing' and lock is not null
        ), candidate as materialized (
            select job.id from procrastinate_jobs job
            where job.status = 'todo' and job.scheduled_at is null
                and job.priority >= -2000000000
                and (
                    job.lock is null
                    or (
                        job.lock <> all(coalesce((select locks from held), '{}'))
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
    end $$
    """,
]


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
