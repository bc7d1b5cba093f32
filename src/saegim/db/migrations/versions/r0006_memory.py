"""Long-term memory: records with their versions, digests, consent and the trail.

Expands only: the release before goes on recording turns and episodes, and reads none of this.
"""

from alembic import op

from saegim.db.migrations.tenant_tables import fence, partition

revision = "0006"
down_revision = "0005"

PARTITIONED = {
    # `body` holds what was said, sealed; the natural key is hashed with the person's own key and
    # their profile, so no two people share one. A record's id sorts by when it was said, not when
    # it was stored: a list by date is a walk along the index.
    "memory": """
        create table memory (
            tenant_id uuid not null,
            memory_id uuid not null,
            member_id uuid not null,
            profile_id uuid not null,
            natural_hash bytea not null,
            type text not null,
            body bytea not null,
            importance real not null,
            said_at timestamptz not null,
            valid_from timestamptz,
            valid_to timestamptz,
            sources uuid[] not null,
            version integer not null,
            origin text not null,
            pii text[] not null,
            core boolean not null,
            pinned boolean not null,
            retention text,
            superseded_by uuid,
            ended_at timestamptz,
            forgotten_at timestamptz,
            created_at timestamptz not null,
            changed_at timestamptz not null,
            primary key (tenant_id, member_id, profile_id, memory_id),
            unique (tenant_id, natural_hash),
            check (origin in ('model', 'twin', 'person')),
            check (type in (
                'fact', 'preference', 'constraint', 'decision', 'todo', 'timeline', 'profile',
                'note'
            ))
        ) partition by hash (tenant_id)""",
    "memory_version": """
        create table memory_version (
            tenant_id uuid not null,
            member_id uuid not null,
            profile_id uuid not null,
            memory_id uuid not null,
            version integer not null,
            type text not null,
            body bytea not null,
            importance real not null,
            valid_from timestamptz,
            valid_to timestamptz,
            origin text not null,
            pii text[] not null,
            changed_at timestamptz not null,
            primary key (tenant_id, member_id, profile_id, memory_id, version),
            foreign key (tenant_id, member_id, profile_id, memory_id) references memory
                on delete cascade
        ) partition by hash (tenant_id)""",
    # What a scan needs of a record, so that it reads one narrow table and nothing else.
    "memory_vector": """
        create table memory_vector (
            tenant_id uuid not null,
            member_id uuid not null,
            profile_id uuid not null,
            memory_id uuid not null,
            index_version smallint not null,
            said_at timestamptz not null,
            holds_from timestamptz not null,
            ended_at timestamptz,
            forgotten boolean not null default false,
            type text not null,
            importance real not null,
            embedding halfvec not null,
            terms sparsevec not null,
            primary key (tenant_id, member_id, profile_id, memory_id, index_version),
            foreign key (tenant_id, member_id, profile_id, memory_id) references memory
                on delete cascade
        ) partition by hash (tenant_id)""",
}

TABLES = {
    "digest": """
        create table digest (
            tenant_id uuid not null,
            digest_id uuid not null,
            member_id uuid not null,
            profile_id uuid not null,
            natural_hash bytea not null,
            body bytea not null,
            sources uuid[] not null,
            first_said_at timestamptz not null,
            last_said_at timestamptz not null,
            created_at timestamptz not null,
            primary key (tenant_id, digest_id),
            unique (tenant_id, member_id, profile_id, natural_hash)
        )""",
    "consent": """
        create table consent (
            tenant_id uuid not null,
            subject_id uuid not null,
            subject text not null,
            allowed boolean not null,
            changed_at timestamptz not null,
            primary key (tenant_id, subject_id),
            check (subject in ('tenant', 'user', 'session'))
        )""",
    "audit_event": """
        create table audit_event (
            tenant_id uuid not null,
            event_id uuid not null,
            member_id uuid not null,
            profile_id uuid not null,
            subject_id uuid not null,
            action text not null,
            actor text not null,
            reason bytea,
            at timestamptz not null,
            primary key (tenant_id, event_id)
        )""",
    # One row for a turn: whether it was extracted, or what could not be read, for replay.
    "extraction": """
        create table extraction (
            tenant_id uuid not null,
            turn_id uuid not null,
            member_id uuid not null,
            origin text,
            error text,
            output bytea,
            attempts integer not null,
            at timestamptz not null,
            primary key (tenant_id, turn_id),
            check ((origin is null) <> (error is null))
        )""",
}

INDEXES = [
    """
    create index memory_kept on memory (tenant_id, member_id, profile_id)
    where (core or pinned) and forgotten_at is null
    """,
    """
    create index memory_forgotten on memory (tenant_id, forgotten_at)
    where forgotten_at is not null
    """,
    """
    create index memory_by_successor on memory (tenant_id, superseded_by)
    where superseded_by is not null
    """,
    "create index digest_by_person on digest (tenant_id, member_id, profile_id, digest_id)",
    "create index audit_by_person on audit_event (tenant_id, member_id, profile_id, event_id)",
    "create index audit_by_subject on audit_event (tenant_id, subject_id, event_id)",
    "create index extraction_failed on extraction (tenant_id, at) where error is not null",
]

# Of the last turn of an episode alone: which it is, its terms, how long it is, what it tells and
# who speaks. With it recall finds the one turn, and its window tells what the turn is about.
OWN = [
    """
    alter table episode_vector
        add column session_id uuid, add column last_turn integer, add column said_at timestamptz,
        add column own sparsevec, add column own_length integer not null default 0,
        add column marks integer not null default 0, add column speaker integer not null default 0
    """,
    # Its owner is fenced too; and no one else is let in before this is committed.
    "alter table episode_vector no force row level security",
    "alter table episode no force row level security",
    "alter table term_count no force row level security",
    """
    update episode_vector v
    set session_id = e.session_id, last_turn = e.last_turn, said_at = e.said_at
    from episode e
    where e.tenant_id = v.tenant_id and e.episode_id = v.episode_id
    """,
    "alter table term_count alter column episodes set default 0",
    "alter table term_count add column records integer not null default 0",
    # Term 0 stands for every row, so that how many there are is not counted for each question.
    """
    insert into term_count (tenant_id, member_id, profile_id, index_version, term, episodes)
    select tenant_id, member_id, profile_id, index_version, 0, count(*)::integer
    from episode_vector
    group by tenant_id, member_id, profile_id, index_version
    """,
    "alter table episode_vector force row level security",
    "alter table episode force row level security",
    "alter table term_count force row level security",
]

# Rows past 2 kB would be moved out of line, which costs recall a factor of three.
NARROW = """
do $$
declare part regclass;
begin
    for part in select inhrelid::regclass from pg_inherits
                where inhparent = 'memory_vector'::regclass
    loop
        execute format('alter table %s alter column embedding set storage plain', part);
        execute format('alter table %s alter column terms set storage plain', part);
        execute format('alter table %s set (toast_tuple_target = 8160)', part);
    end loop;
    for part in select inhrelid::regclass from pg_inherits
                where inhparent = 'episode_vector'::regclass
    loop
        execute format('alter table %s alter column own set storage plain', part);
    end loop;
end $$
"""


def upgrade() -> None:
    for table, definition in PARTITIONED.items():
        _run([definition, *partition(table)])
    for table, definition in TABLES.items():
        _run([definition, *fence(table)])
    _run([*INDEXES, *OWN, NARROW])


def _run(statements: list[str]) -> None:
    for statement in statements:
        op.execute(statement)
