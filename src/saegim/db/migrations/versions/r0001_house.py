"""The house: tenants and access, sessions and turns, episodes, jobs."""

from alembic import op
from procrastinate.schema import SchemaManager
from psycopg import Connection

from saegim.db.migrations.tenant_tables import fence, partition

revision = "0001"
down_revision = None

ACCESS = {
    "tenant": """
        create table tenant (
            tenant_id uuid primary key,
            name text not null,
            created_at timestamptz not null
        )""",
    "tenant_directory": """
        create table tenant_directory (
            tenant_id uuid primary key,
            cell text not null,
            changed_at timestamptz not null
        )""",
    "collection": """
        create table collection (
            tenant_id uuid not null references tenant,
            collection_id uuid not null,
            name text not null,
            audience text[] not null default '{}',
            created_at timestamptz not null,
            primary key (tenant_id, collection_id),
            unique (tenant_id, name)
        )""",
    "assistant": """
        create table assistant (
            tenant_id uuid not null references tenant,
            assistant_id uuid not null,
            name text not null,
            persona text not null,
            policy text not null,
            locale text not null,
            created_at timestamptz not null,
            primary key (tenant_id, assistant_id),
            unique (tenant_id, name)
        )""",
    "assistant_collection": """
        create table assistant_collection (
            tenant_id uuid not null,
            assistant_id uuid not null,
            collection_id uuid not null,
            primary key (tenant_id, assistant_id, collection_id),
            foreign key (tenant_id, assistant_id) references assistant on delete cascade,
            foreign key (tenant_id, collection_id) references collection on delete cascade
        )""",
    "member": """
        create table member (
            tenant_id uuid not null references tenant,
            member_id uuid not null,
            outside_id_hash bytea not null,
            outside_id bytea not null,
            locale text not null,
            time_zone text not null,
            created_at timestamptz not null,
            primary key (tenant_id, member_id),
            unique (tenant_id, outside_id_hash)
        )""",
    "profile": """
        create table profile (
            tenant_id uuid not null,
            profile_id uuid not null,
            member_id uuid not null,
            name_hash bytea not null,
            name bytea not null,
            created_at timestamptz not null,
            primary key (tenant_id, profile_id),
            unique (tenant_id, member_id, name_hash),
            foreign key (tenant_id, member_id) references member
        )""",
    "app_key": """
        create table app_key (
            tenant_id uuid not null references tenant,
            key_id uuid not null,
            prefix text not null,
            secret_hash bytea not null,
            name text not null,
            role text not null,
            act_as boolean not null,
            member_id uuid,
            assistant_id uuid not null,
            groups text[] not null default '{}',
            created_at timestamptz not null,
            expires_at timestamptz,
            revoked_at timestamptz,
            primary key (tenant_id, key_id),
            unique (tenant_id, secret_hash),
            foreign key (tenant_id, assistant_id) references assistant,
            foreign key (tenant_id, member_id) references member,
            check (act_as = (member_id is null))
        )""",
    "index_state": """
        create table index_state (
            tenant_id uuid not null references tenant,
            subject text not null,
            index_version smallint not null,
            embedder text not null,
            dimensions integer not null,
            activated_at timestamptz not null,
            primary key (tenant_id, subject)
        )""",
    "session": """
        create table session (
            tenant_id uuid not null references tenant,
            session_id uuid not null,
            member_id uuid not null,
            profile_id uuid not null,
            assistant_id uuid not null,
            name_hash bytea,
            last_turn integer not null default 0,
            recorded integer not null default 0,
            created_at timestamptz not null,
            used_at timestamptz not null,
            primary key (tenant_id, session_id),
            unique (tenant_id, member_id, profile_id, name_hash),
            foreign key (tenant_id, profile_id) references profile,
            foreign key (tenant_id, assistant_id) references assistant
        )""",
    "turn_trace": """
        create table turn_trace (
            tenant_id uuid not null,
            turn_id uuid not null,
            member_id uuid not null,
            trace bytea not null,
            created_at timestamptz not null,
            primary key (tenant_id, turn_id)
        )""",
}

# `recorded` counts a session's turns that have text; working memory in Redis carries the number
# it was made at, so that a copy that missed a turn is known to be old.

PARTITIONED = {
    "turn": """
        create table turn (
            tenant_id uuid not null,
            turn_id uuid not null,
            session_id uuid not null,
            member_id uuid not null,
            profile_id uuid not null,
            assistant_id uuid not null,
            number integer not null,
            state text not null,
            message bytea not null,
            inputs bytea,
            reply bytea,
            error text,
            idempotency_hash bytea,
            request_hash bytea not null,
            attempt integer not null,
            lease_owner uuid,
            lease_until timestamptz,
            cancel_requested boolean not null default false,
            watch_job bigint,
            created_at timestamptz not null,
            settled_at timestamptz,
            primary key (tenant_id, turn_id),
            unique (tenant_id, session_id, number),
            unique (tenant_id, member_id, idempotency_hash),
            foreign key (tenant_id, session_id) references session,
            check (state in ('received', 'running', 'done', 'incomplete', 'failed'))
        ) partition by hash (tenant_id)""",
    "episode": """
        create table episode (
            tenant_id uuid not null,
            episode_id uuid not null,
            member_id uuid not null,
            profile_id uuid not null,
            session_id uuid not null,
            first_turn integer not null,
            last_turn integer not null,
            content bytea not null,
            said_at timestamptz not null,
            created_at timestamptz not null,
            primary key (tenant_id, episode_id),
            unique (tenant_id, session_id, first_turn, last_turn)
        ) partition by hash (tenant_id)""",
    "episode_vector": """
        create table episode_vector (
            tenant_id uuid not null,
            member_id uuid not null,
            profile_id uuid not null,
            episode_id uuid not null,
            index_version smallint not null,
            embedding halfvec not null,
            terms sparsevec not null,
            primary key (tenant_id, member_id, profile_id, episode_id, index_version),
            foreign key (tenant_id, episode_id) references episode on delete cascade
        ) partition by hash (tenant_id)""",
    "term_count": """
        create table term_count (
            tenant_id uuid not null,
            member_id uuid not null,
            profile_id uuid not null,
            index_version smallint not null,
            term integer not null,
            episodes integer not null,
            primary key (tenant_id, member_id, profile_id, index_version, term)
        ) partition by hash (tenant_id)""",
}

# Rows past 2 kB would be moved out of line, which costs recall a factor of three.
NARROW = """
do $$
declare part text;
begin
    for part in select inhrelid::regclass::text from pg_inherits
                where inhparent = 'episode_vector'::regclass
    loop
        execute format('alter table %s alter column embedding set storage plain', part);
        execute format('alter table %s alter column terms set storage plain', part);
        execute format('alter table %s set (toast_tuple_target = 8160)', part);
    end loop;
end $$
"""

JOBS = [
    # What may start now wakes the workers: the next job of a lock that was let go, and a job that
    # came back in line.
    """
    create function wake_workers() returns trigger language plpgsql as $$
    begin
        perform pg_notify(
            'procrastinate_any_queue_v1',
            '{"type": "job_inserted", "job_id": 0}'
        );
        return null;
    end $$
    """,
    """
    create trigger wake_workers_after_update
    after update of status, scheduled_at on procrastinate_jobs
    for each row when (
        (old.status = 'doing' and new.status <> 'doing' and old.lock is not null)
        or (
            new.status = 'todo' and new.scheduled_at is null
            and (old.status <> 'todo' or old.scheduled_at is not null)
        )
    )
    execute function wake_workers()
    """,
    """
    create trigger wake_workers_after_delete after delete on procrastinate_jobs
    for each row when (old.status = 'doing' and old.lock is not null)
    execute function wake_workers()
    """,
    """
    create index job_by_lock on procrastinate_jobs (lock, priority desc, id)
    where status = 'todo'
    """,
    """
    create index job_by_tenant on procrastinate_jobs ((args ->> 'tenant'), priority)
    where status = 'todo' and scheduled_at is null
    """,
    "create index job_running on procrastinate_jobs (priority) where status = 'doing'",
    """
    create index job_scheduled on procrastinate_jobs (scheduled_at)
    where status = 'todo' and scheduled_at is not null
    """,
    "create index job_failed on procrastinate_jobs (id) where status = 'failed'",
    # A job's place in line, as minus a virtual clock: past what runs, past the one before the
    # first that waits, past its tenant's own last. So tenants take turns, each keeps its order,
    # and a job that its lock holds up does not hold up the clock. Two that are deferred at the
    # same moment may share a place. The clock stops short of the column's end: from there on it
    # is a plain queue, until it runs empty and starts again. Jobs that wait for their time have
    # no place yet and stand below all places. The queue is empty at one moment and long at the
    # next, so the plans of both functions must not hang on statistics.
    """
    create function job_place(of_tenant text, ahead integer) returns integer
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
                select -min(priority) from procrastinate_jobs
                where args ->> 'tenant' = of_tenant and status = 'todo' and scheduled_at is null
            ), 0)
        ));
    end $$
    """,
    # Procrastinate's own fetch compares every waiting job with all of its lock, which takes 180 ms
    # with 2,500 of them. This one goes along the line once, past the locks that are held.
    """
    create function job_fetch(for_worker bigint) returns setof procrastinate_jobs
    language plpgsql
    set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
    begin
        return query
        with held as materialized (
            select array_agg(lock) as locks from procrastinate_jobs
            where status = 'doing' and lock is not null
        ), candidate as (
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
                            order by first.priority desc, first.id limit 1
                        )
                    )
                )
            order by job.priority desc, job.id
            limit 1
            for update of job skip locked
        )
        update procrastinate_jobs job set status = 'doing', worker_id = for_worker
        from candidate where job.id = candidate.id
        returning job.*;
    end $$
    """,
    # Why a job failed, for operators: a class name, no content, and gone with the job.
    """
    create table job_failure (
        job_id bigint primary key references procrastinate_jobs on delete cascade,
        failures integer not null,
        error text not null,
        at timestamptz not null
    )
    """,
]


def upgrade() -> None:
    for table, definition in ACCESS.items():
        _run([definition, *fence(table)])
    for table, definition in PARTITIONED.items():
        _run([definition, *partition(table)])
    _run([NARROW])
    _run_jobs_schema()
    _run(JOBS)


def _run(statements: list[str]) -> None:
    for statement in statements:
        op.execute(statement)


def _run_jobs_schema() -> None:
    """Procrastinate's schema is many statements with colons: it goes past SQLAlchemy's parser."""
    connection = op.get_bind().connection.driver_connection
    assert isinstance(connection, Connection)
    connection.execute(SchemaManager.get_schema().encode())
