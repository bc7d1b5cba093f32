"""Mark the memories of up to 0.15.4: people review those that rules made."""

from alembic import op

revision = "0041"
down_revision = "0040"

# A constant default marks the rows that exist without rewriting them; later rows are not marked.
MARK = (
    "alter table memory add column under_old_rules boolean not null default true",
    "alter table memory alter column under_old_rules set default false",
)
# What follows from such memories is derived again, without them in the profile, when the memory
# changes next. Here no tenant is set, so the owner must be free of the policies for a moment.
TABLES = ("memory", "derived_memory")
DROP_DERIVED = """
delete from derived_memory d where undone_at is null and exists (
    select from memory m
    where m.tenant_id = d.tenant_id and m.member_id = d.member_id
        and m.profile_id = d.profile_id and m.memory_id = any(d.sources)
        and m.origin = 'fallback' and not m.pinned
)
"""
STATEMENTS = (
    *MARK,
    *(f"alter table {table} no force row level security" for table in TABLES),
    DROP_DERIVED,
    *(f"alter table {table} force row level security" for table in TABLES),
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
