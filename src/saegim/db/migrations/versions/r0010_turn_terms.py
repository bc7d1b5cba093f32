"""Keyed hashes of the words of turns, to search them."""

from alembic import op
from psycopg import Connection

from saegim.db.migrations.tenant_tables import partition

revision = "0010"
down_revision = "0009"

# `terms` are hashed with a key of the user, so that they do not reveal words.
TERMS = """
create table turn_terms (
    tenant_id uuid not null,
    turn_id uuid not null,
    session_id uuid not null,
    member_id uuid not null,
    profile_id uuid not null,
    terms bigint[] not null,
    primary key (tenant_id, turn_id)
) partition by hash (tenant_id)
"""
INDEX = "create index turn_terms_by_person on turn_terms (tenant_id, member_id, profile_id)"


def upgrade() -> None:
    connection = op.get_bind().connection.driver_connection
    assert isinstance(connection, Connection)
    for statement in (TERMS, *partition("turn_terms"), INDEX):
        connection.execute(statement.encode())
