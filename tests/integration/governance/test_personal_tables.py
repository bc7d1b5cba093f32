"""One list of all that holds something of a person: nothing in the catalogue is left out of it."""

from collections.abc import Iterator

import psycopg
import pytest
from psycopg import Connection

from saegim.db.pool import named_queries
from saegim.governance.personal_data import NOT_PERSONAL, PERSONAL
from tests.integration.isolation.catalogue import tenant_tables
from tests.stack import Databases

pytestmark = pytest.mark.requirement("LM7", "OP5")

COLUMNS = """
select attname, format_type(atttypid, null) from pg_attribute
where attrelid = %s and attnum > 0 and not attisdropped
"""
# Columns of bytes that seal nothing: hashes, digests, files of the library.
NOT_SEALED = frozenset(
    {
        "outside_id_hash",
        "name_hash",
        "text_hash",
        "natural_hash",
        "key_hash",
        "basis",
        "digest",
        "idempotency_hash",
        "request_hash",
        "secret_hash",
        "code_hash",
        "email_hash",
        "token_hash",
        "content_hash",
        "file_hash",
        "reason_digest",
        "signature",
    }
)


@pytest.fixture
def admin(databases: Databases) -> Iterator[Connection]:
    with psycopg.connect(databases.admin_url, autocommit=True) as connection:
        connection.execute("set search_path to saegim, public")
        yield connection


def columns(admin: Connection) -> dict[str, dict[str, str]]:
    return {
        table.name: dict(admin.execute(COLUMNS, (table.oid,)).fetchall())
        for table in tenant_tables(admin)
        if not table.is_partition
    }


def forgotten(admin: Connection) -> set[str]:
    """Returns tables that are in neither list."""
    return columns(admin).keys() - {table.name for table in PERSONAL} - NOT_PERSONAL.keys()


def test_every_table_is_personal_or_said_not_to_be(admin: Connection) -> None:
    there = columns(admin).keys()

    assert forgotten(admin) == set(), "say in personal.py how these are erased, or why not"
    assert {table.name for table in PERSONAL} | NOT_PERSONAL.keys() <= there


def test_a_table_with_a_person_in_it_is_personal(admin: Connection) -> None:
    with_person = {name for name, found in columns(admin).items() if "member_id" in found}

    assert with_person & NOT_PERSONAL.keys() == set()


def test_a_new_table_is_noticed(admin: Connection) -> None:
    with admin.transaction(force_rollback=True):
        admin.execute(
            "create table diary (tenant_id uuid not null, member_id uuid not null, said bytea)"
        )
        assert forgotten(admin) == {"diary"}


# Sealed with the tenant's key: reasons of admins, and names of people who may be no members.
TENANTS_KEY = {"erasure", "guild_activity", "team_memory", "team_memory_source"}


def test_every_sealed_column_of_a_person_is_sealed_anew_when_keys_rotate(
    admin: Connection,
) -> None:
    sealed = {table.name: set(table.sealed) for table in PERSONAL}
    missing = {
        f"{name}.{column}"
        for name, found in columns(admin).items()
        if name in sealed and name not in TENANTS_KEY
        for column, kind in found.items()
        if kind == "bytea" and column not in NOT_SEALED | sealed[name]
    }

    assert missing == set()


def test_what_is_kept_says_why_and_what_goes_has_its_query() -> None:
    for table in PERSONAL:
        if table.erase is None:
            assert table.kept_because, table.name
        else:
            words = " ".join(named_queries()[table.erase].text.decode().split())
            assert f"delete from {table.name} " in words
