"""E-mail accounts, invitations and links to set a new password; the first set-up."""

from alembic import op
from psycopg import Connection

from saegim.db.migrations.tenant_tables import enable_row_security

revision = "0008"
down_revision = "0007"

# `email` and `name` are sealed with the key of the member. `email_hash` is keyed by the server.
ACCOUNTS = """
create table account (
    tenant_id uuid not null,
    member_id uuid not null,
    email_hash bytea not null,
    email bytea not null,
    name bytea,
    password_hash text not null,
    created_at timestamptz not null,
    password_changed_at timestamptz not null,
    primary key (tenant_id, member_id),
    unique (tenant_id, email_hash),
    foreign key (tenant_id, member_id) references member
)
"""
# `member_id` is the member that an invited person becomes.
INVITATIONS = """
create table invitation (
    tenant_id uuid not null references tenant,
    invitation_id uuid not null,
    member_id uuid not null,
    token_hash bytea not null,
    email_hash bytea not null,
    email bytea not null,
    name bytea,
    role text not null,
    groups text[] not null default '{}',
    invited_by uuid not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    primary key (tenant_id, invitation_id),
    unique (tenant_id, token_hash),
    unique (tenant_id, email_hash)
)
"""
RESET_LINKS = """
create table reset_link (
    tenant_id uuid not null,
    token_hash bytea not null,
    member_id uuid not null,
    made_by uuid not null,
    expires_at timestamptz not null,
    primary key (tenant_id, token_hash),
    foreign key (tenant_id, member_id) references member
)
"""
TABLES = {"account": ACCOUNTS, "invitation": INVITATIONS, "reset_link": RESET_LINKS}

# Which tenants have an account with an e-mail: somebody who signs in names no tenant. It has keyed
# hashes and IDs of tenants only. The trigger also fires for copied rows.
SHARED = (
    """
create table account_directory (
    email_hash bytea not null,
    owner_id uuid not null,
    primary key (email_hash, owner_id)
)
""",
    """
create function update_account_directory() returns trigger language plpgsql as $$
begin
    if tg_op <> 'INSERT' then
        delete from saegim.account_directory
        where email_hash = old.email_hash and owner_id = old.tenant_id;
    end if;
    if tg_op <> 'DELETE' then
        insert into saegim.account_directory (email_hash, owner_id)
        values (new.email_hash, new.tenant_id) on conflict do nothing;
    end if;
    return null;
end $$
""",
    """
create trigger update_account_directory
after insert or delete or update of email_hash on account
for each row execute function update_account_directory()
""",
    "alter table account enable always trigger update_account_directory",
    """
create table set_up_code (
    code_hash bytea primary key,
    expires_at timestamptz not null,
    used_at timestamptz
)
""",
    "create index invitation_by_member on invitation (tenant_id, member_id)",
    "create index reset_link_by_member on reset_link (tenant_id, member_id)",
)


def upgrade() -> None:
    connection = op.get_bind().connection.driver_connection
    assert isinstance(connection, Connection)
    for name, table in TABLES.items():
        for statement in (table, *enable_row_security(name)):
            connection.execute(statement.encode())
    for statement in SHARED:
        connection.execute(statement.encode())
