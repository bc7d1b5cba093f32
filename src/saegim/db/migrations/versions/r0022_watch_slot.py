"""Workers can fetch the watches of turns alone, for the slot that they keep for these.

Long jobs may take every other slot, and somebody waits for an abandoned turn.
"""

from alembic import op

revision = "0022"
down_revision = "0021"

STATEMENTS = [
    """
    create index job_watch on procrastinate_jobs ((-priority), id)
    where status = 'todo' and scheduled_at is null and task_name = 'watch_turn'
    """,
    """
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
    end $$
    """,
]


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
