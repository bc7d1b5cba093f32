"""Fetches of jobs that do not wait for a model."""

from alembic import op

revision = "0038"
down_revision = "0037"

# The kinds that may wait for a model are those of `saegim.jobs.types`.
INDEX = """
create index if not exists job_without_model on procrastinate_jobs (priority desc, id)
where status = 'todo' and scheduled_at is null and task_name not in (
    'extract', 'consolidate', 'synthesise', 'summarise', 'title_session', 'evaluate'
)
"""

# As `job_fetch`, for a worker whose other slots are taken by these kinds.
FETCH = """
create or replace function job_fetch_without_model(for_worker bigint)
returns setof procrastinate_jobs
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
            and job.task_name not in (
                'extract', 'consolidate', 'synthesise', 'summarise', 'title_session', 'evaluate'
            )
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
end $$
"""


def upgrade() -> None:
    op.execute(INDEX)
    op.execute(FETCH)
