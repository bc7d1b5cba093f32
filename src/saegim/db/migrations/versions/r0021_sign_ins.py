"""Sign-ins at the pages have rows, so that signing out ends them.

Cookies of the release before name no sign-in: their holders sign in again.
"""

from alembic import op

from saegim.db.migrations.tenant_tables import fence

revision = "0021"
down_revision = "0020"

SIGN_IN = """
    create table sign_in (
        tenant_id uuid not null references tenant,
        sign_in_id uuid not null,
        member_id uuid not null,
        started_at timestamptz not null,
        expires_at timestamptz not null,
        ended_at timestamptz,
        primary key (tenant_id, sign_in_id)
    )
"""


def upgrade() -> None:
    op.execute(SIGN_IN)
    op.execute("create index sign_in_by_person on sign_in (tenant_id, member_id)")
    for statement in fence("sign_in"):
        op.execute(statement)
