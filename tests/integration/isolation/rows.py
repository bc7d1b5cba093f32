"""Rows for every tenant table, generated from the catalogue, so that new tables are included."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from uuid import UUID, uuid5

import pytest
from psycopg import Connection
from psycopg.sql import SQL, Composable, Composed, Identifier, Literal

from tests.integration.isolation.catalogue import Relation, tenant_tables

NOW = datetime(2026, 1, 1, tzinfo=UTC)
NAMESPACE = UUID("0f5e1b6a-7c39-4e6e-9d0a-5a3c61d0c0de")

# A value of each type, from the tenant and the row's number `i`.
BY_TYPE = {
    "uuid": "md5('{column}' || tenant || i / {fanout})::uuid",
    "bytea": "decode(md5('{column}' || tenant || i), 'hex')",
    "text": "'{column} ' || i",
    "text[]": "'{{}}'::text[]",
    "boolean": "false",
    "smallint": "i",
    "integer": "i",
    "bigint": "i",
    "real": "0.5",
    "integer[]": "array[i]::integer[]",
    "bigint[]": "array[i]::bigint[]",
    "uuid[]": "'{{}}'::uuid[]",
    "timestamp with time zone": "timestamptz '2026-01-01' + i * interval '1 minute'",
    "date": "date '2026-01-01' + mod(i, 30)",
    "halfvec": "array_fill(0.25::real, array[16])::halfvec",
    "sparsevec": "'{{1:0.5,7:1}}/1000000'::sparsevec",
    "xid8": "i::text::xid8",
    "jsonb": "'{{}}'::jsonb",
}

# Where a type alone gives a row that no tenant would have, or that a check refuses.
BY_COLUMN = {
    "turn.attempt": "1",
    "turn.in_use": "true",
    "session.deleted_at": "null::timestamptz",
    "app_key.role": "'member'",
    "issuer.jwks_url": "null",
    "member.role": "'member'",
    "invitation.role": "'member'",
    "term_count.index_version": "1",
    "episode_vector.index_version": "1",
    "memory_vector.index_version": "1",
    "extraction.error": "null::text",
    "tenant_directory.cell": "'main'",
    "webhook_delivery.state": "'waiting'",
    "guild_activity.guild_id": "'guild ' || i / 500",
    "guild_notice.guild_id": "'guild ' || i / 20",
    "guild_notice.at": "'07:30'",
    "guild_notice.time_zone": "'Asia/Seoul'",
}

# How many rows share an id: turns of a session, sessions of a member. Its own table has it once.
FANOUT = {
    "assistant_id": 500,
    "collection_id": 100,
    "connection_id": 20,
    "document_id": 20,
    "member_id": 40,
    "profile_id": 40,
    "original_id": 5,
    "section_id": 5,
    "session_id": 20,
    "source_id": 100,
    "webhook_id": 100,
}

# The most rows that a tenant gets where it would not have thousands.
MOST = {
    "app_key": 20,
    "assistant": 20,
    "assistant_version": 20,
    "audit_seal": 40,
    "assistant_collection": 20,
    "collection": 20,
    "document": 400,
    "file_part": 20,
    "erasure": 20,
    "evaluation_set": 20,
    "evaluation_run": 20,
    "evaluation_result": 20,
    "identity": 400,
    "invitation": 20,
    "reset_link": 20,
    "index_state": 20,
    "ingest": 20,
    "ingest_file": 20,
    "issuer": 20,
    "link_code": 20,
    "original": 400,
    "original_part": 400,
    "member": 400,
    "model_connection": 20,
    "model_role": 20,
    "profile": 400,
    "retired_index": 20,
    "section": 400,
    "team_memory": 400,
    "team_memory_version": 400,
    "team_memory_source": 400,
    "usage_limit": 6,
    "webhook": 20,
    "guild": 20,
    "guild_channel": 400,
    "guild_notice": 400,
    "source": 20,
}

COLUMNS = """
select attname, format_type(atttypid, null) from pg_attribute
where attrelid = %s and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
order by attnum
"""
# Checks of the form `column in (…)`: the values that a column may have.
CHOICES = """
select a.attname,
    array(select found[1] from regexp_matches(text, $$'([^']+)'::text$$, 'g') as found)
from pg_constraint k
join pg_attribute a on a.attrelid = k.conrelid and k.conkey = array[a.attnum],
    pg_get_constraintdef(k.oid) as text
where k.conrelid = %s and k.contype = 'c' and text ~ '= ANY \\(ARRAY'
"""
KEY = """
select array_agg(a.attname order by a.attnum)
from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
where i.indrelid = %s and i.indisprimary
"""


def tenant_ids(count: int) -> list[UUID]:
    """The same ids in every run."""
    return [uuid5(NAMESPACE, str(number)) for number in range(count)]


def fill(
    connection: Connection,
    tenants: Sequence[UUID],
    rows: int,
    larger: Mapping[str, int] = MappingProxyType({}),
) -> None:
    """Gives each tenant so many rows in every main table; one where the tenant is the key, and
    others in the tables of `larger`."""
    with connection.transaction():
        tables = [each for each in tenant_tables(connection) if not each.is_partition]
        # Rows refer to each other by their numbers, so there is no order that foreign keys like.
        connection.execute("set local session_replication_role to replica")
        for table in tables:
            key = connection.execute(KEY, (table.oid,)).fetchall()[0][0]
            most = larger.get(table.name) or min(rows, MOST.get(table.name, rows))
            each = 1 if key == ["tenant_id"] else most
            connection.execute(_insert(connection, table, key), (list(tenants), each))


def _insert(connection: Connection, table: Relation, key: Sequence[str]) -> Composed:
    choices: dict[str, list[str]] = dict(connection.execute(CHOICES, (table.oid,)).fetchall())
    columns = connection.execute(COLUMNS, (table.oid,)).fetchall()
    values = [
        _choice(choices[column])
        if column in choices
        else _value(table.name, column, kind, 1 if column == key[-1] else FANOUT.get(column, 1))
        for column, kind in columns
    ]
    return SQL(
        "insert into {table} ({columns}) select {values} "
        "from unnest(%s::uuid[]) as tenant, generate_series(0, %s::int - 1) as i"
    ).format(
        table=Identifier(table.name),
        columns=SQL(", ").join(Identifier(name) for name, _ in columns),
        values=SQL(", ").join(values),
    )


def _value(table: str, column: str, kind: str, fanout: int) -> Composable:
    if column == "tenant_id":
        return SQL("tenant")
    known = BY_COLUMN.get(f"{table}.{column}", BY_TYPE.get(kind))
    if known is None:
        pytest.fail(f"{table}.{column}: say in BY_TYPE how a {kind} is made")
    return SQL(known.format(column=column, fanout=fanout))  # pyright: ignore[reportArgumentType] - text of ours


def _choice(values: list[str]) -> Composable:
    return SQL("({}::text[])[1 + i %% {}]").format(Literal(values), Literal(len(values)))
