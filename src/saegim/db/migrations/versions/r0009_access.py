"""Access: scopes and rotation of keys, roles of members, identities, issuers, assistants' versions.

Expands only: the release before makes keys without scopes, which may do what their role may.
"""

from alembic import op

from saegim.db.migrations.tenant_tables import fence

revision = "0009"
down_revision = "0008"

COLUMNS = [
    # No scopes: all that the role may. `replaces` is the key that this one was rotated from.
    "alter table app_key add column scopes text[]",
    "alter table app_key add column replaces uuid",
    "alter table app_key add column used_at timestamptz",
    "alter table member add column role text not null default 'member'",
    "alter table member add column groups text[] not null default '{}'",
    "alter table member add column disabled_at timestamptz",
    # Which version of an assistant's configuration is the published one; none before the first.
    "alter table assistant add column published integer",
    "alter table assistant add column if not exists config jsonb not null default '{}'",
]

TABLES = {
    # Other names by which a member is known; a linked name leads here before any member's own.
    "identity": """
        create table identity (
            tenant_id uuid not null,
            identity_id uuid not null,
            member_id uuid not null,
            channel text not null,
            outside_id_hash bytea not null,
            outside_id bytea not null,
            linked_at timestamptz not null,
            primary key (tenant_id, identity_id),
            unique (tenant_id, outside_id_hash),
            foreign key (tenant_id, member_id) references member
        )""",
    # A code that one identity was given, to be said by another; used once.
    "link_code": """
        create table link_code (
            tenant_id uuid not null,
            code_hash bytea not null,
            member_id uuid not null,
            expires_at timestamptz not null,
            primary key (tenant_id, code_hash),
            foreign key (tenant_id, member_id) references member
        )""",
    "issuer": """
        create table issuer (
            tenant_id uuid not null references tenant,
            issuer_id uuid not null,
            url text not null,
            audience text not null,
            jwks_url text,
            jwks jsonb,
            assistant_id uuid not null,
            user_claim text not null,
            groups_claim text,
            created_at timestamptz not null,
            primary key (tenant_id, issuer_id),
            unique (tenant_id, url),
            foreign key (tenant_id, assistant_id) references assistant,
            check ((jwks_url is null) <> (jwks is null))
        )""",
    "assistant_version": """
        create table assistant_version (
            tenant_id uuid not null,
            assistant_id uuid not null,
            version integer not null,
            state text not null,
            content jsonb not null,
            made_by uuid not null,
            created_at timestamptz not null,
            published_at timestamptz,
            primary key (tenant_id, assistant_id, version),
            foreign key (tenant_id, assistant_id) references assistant on delete cascade,
            check (state in ('draft', 'published', 'retired'))
        )""",
    # What a tenant may use in a window; where it says nothing, the settings do.
    "usage_limit": """
        create table usage_limit (
            tenant_id uuid not null references tenant,
            subject text not null,
            resource text not null,
            window_seconds integer not null,
            most bigint not null,
            primary key (tenant_id, subject, resource, window_seconds),
            check (subject in ('key', 'user', 'tenant')),
            check (resource in ('requests', 'tokens', 'microdollars'))
        )""",
}

INDEXES = [
    "create index key_by_member on app_key (tenant_id, member_id)",
    "create index identity_by_member on identity (tenant_id, member_id)",
    "create index link_code_by_member on link_code (tenant_id, member_id)",
]


def upgrade() -> None:
    _run(COLUMNS)
    for table, definition in TABLES.items():
        _run([definition, *fence(table)])
    _run(INDEXES)


def _run(statements: list[str]) -> None:
    for statement in statements:
        op.execute(statement)
