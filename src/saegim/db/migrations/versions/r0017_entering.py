"""A tenant's transaction is entered by one statement, which also tells where the tenant is.

A read was five statements: begin, the tenant, its place, the query, commit. What is sent in one
pipeline is one transaction without them, so it is two, at about half the time.
"""

from alembic import op

revision = "0017"
down_revision = "0016"

# Each statement of a volatile function sees what was committed before it: the place is read after
# the lock that whoever moves the tenant takes alone (`carrying.py`).
STATEMENTS = [
    """
    create function enter_to_read(wanted uuid) returns text language plpgsql volatile as $$
    begin
        perform set_config('transaction_read_only', 'on', true),
            set_config('app.tenant', wanted::text, true);
        return (select cell from tenant_directory where tenant_id = wanted);
    end $$
    """,
    """
    create function enter_to_write(wanted uuid) returns text language plpgsql volatile as $$
    begin
        perform set_config('app.tenant', wanted::text, true),
            pg_advisory_xact_lock_shared(hashtextextended(wanted::text, 7323445146));
        return (select cell from tenant_directory where tenant_id = wanted);
    end $$
    """,
]


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
