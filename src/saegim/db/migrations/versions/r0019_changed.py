"""Rows that recall looks at tell which transaction wrote them last.

A process that holds a person's memory asks only for what was written since. The number is the
server's own: rows that come from elsewhere, by a move or a restore, get one of the server they come
to, so the triggers fire there too.
"""

from alembic import op

revision = "0019"
down_revision = "0018"

TABLES = ("memory_vector", "episode_vector")

CHANGED = """
    create function note_change() returns trigger language plpgsql as $$
    begin
        new.changed := pg_current_xact_id();
        return new;
    end $$
"""


def upgrade() -> None:
    op.execute(CHANGED)
    for table in TABLES:
        # A constant: rows that are there are not written again.
        op.execute(f"alter table {table} add column changed xid8 not null default '1'")
        # All rows, but only queries that say so are led to it: others have better ones.
        op.execute(
            f"create index on {table} (tenant_id, member_id, profile_id, changed) "
            "where changed > '0'"
        )
        op.execute(
            f"create trigger note_change before insert or update on {table} "
            "for each row execute function note_change()"
        )
        op.execute(f"alter table {table} enable always trigger note_change")
