"""How each tenant ranks, which embedders are in use, and indexes that are built side by side.

Expands only: the release before reads none of this, and what it writes is counted by the trigger.
"""

from alembic import op

from saegim.db.migrations.tenant_tables import fence

revision = "0005"
down_revision = "0004"

TABLES = {
    # One row for a tenant that differs from the defaults.
    "ranking": """
        create table ranking (
            tenant_id uuid primary key references tenant,
            weights jsonb,
            faq integer,
            other integer,
            updated_at timestamptz not null,
            check (faq >= 0 and other >= 0)
        )""",
    # A build of the library's index on its way: what is in it already, in the order of ids.
    "index_build": """
        create table index_build (
            tenant_id uuid primary key references tenant,
            index_version smallint not null,
            embedder text not null,
            dimensions integer not null,
            after uuid not null,
            passages integer not null default 0,
            started_at timestamptz not null
        )""",
    # A move to another embedder: the newest of a tenant, over or not.
    "reembed": """
        create table reembed (
            tenant_id uuid primary key references tenant,
            embedder text not null,
            dimensions integer not null,
            state text not null,
            cursors jsonb not null,
            embedded integer not null default 0,
            total integer not null,
            started_at timestamptz not null,
            switched_at timestamptz,
            check (state in ('running', 'switched', 'abandoned'))
        )""",
    # What served before: kept for those who still read it, then dropped.
    "retired_index": """
        create table retired_index (
            tenant_id uuid not null references tenant,
            subject text not null,
            index_version smallint not null,
            embedder text not null,
            retired_at timestamptz not null,
            primary key (tenant_id, subject, index_version)
        )""",
}

# Names of embedders and how many indexes of the cell use each: what a start has to provide. It
# names no tenant, so it stands outside the fence, where every process may read it.
EMBEDDER_USE = [
    """
    create table embedder_use (
        embedder text primary key,
        indexes bigint not null
    )
    """,
    """
    create function count_embedder_use() returns trigger language plpgsql as $$
    begin
        if tg_op <> 'INSERT' then
            update embedder_use set indexes = indexes - 1 where embedder = old.embedder;
        end if;
        if tg_op <> 'DELETE' then
            insert into embedder_use (embedder, indexes) values (new.embedder, 1)
            on conflict (embedder) do update set indexes = embedder_use.indexes + 1;
        end if;
        return null;
    end $$
    """,
    # The owner is fenced too: the count is made with the fence lowered, within this transaction.
    "alter table index_state no force row level security",
    "insert into embedder_use select embedder, count(*) from index_state group by embedder",
    "alter table index_state force row level security",
    """
    create trigger count_embedder_use after insert or delete or update of embedder on index_state
    for each row execute function count_embedder_use()
    """,
]


def upgrade() -> None:
    for table, definition in TABLES.items():
        for statement in (definition, *fence(table)):
            op.execute(statement)
    for statement in EMBEDDER_USE:
        op.execute(statement)
