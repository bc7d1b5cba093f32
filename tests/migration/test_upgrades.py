"""Every released schema is upgraded to the newest one, with data of its release in it.

Releases up to 0.7.0 had migrations that are now one initial schema: no installation has them.
"""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest

from benchmarks.prepared_cluster import DATA
from saegim.db.migrate import ensure_database, migrate
from saegim.db.revision import newest_revision, stored_revision
from saegim.localservers.servers import LocalServers

SCHEMAS = sorted((Path(__file__).parent / "schemas").glob("*.sql.gz"))
# The first line names the release; a schema that several releases share is upgraded once.
DISTINCT = {gzip.decompress(path.read_bytes()).partition(b"\n")[2]: path for path in SCHEMAS}
# The last release before the migrations were squashed into one initial schema.
LAST_SQUASHED = (0, 7, 0)
COLUMNS = b"""
    select table_name, column_name from information_schema.columns where table_schema = 'saegim'
"""
SHAPE = b"""
    select 'column', table_name, column_name, data_type, is_nullable
      from information_schema.columns where table_schema = 'saegim'
    union all
    select 'policy', tablename, policyname, qual, with_check
      from pg_policies where schemaname = 'saegim'
    union all
    select 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid), null
      from pg_constraint where connamespace = 'saegim'::regnamespace and conrelid <> 0
"""


def release_of(schema: Path) -> str:
    return schema.name.removesuffix(".sql.gz")


MEMORY = b"""
    insert into saegim.memory (
        tenant_id, memory_id, member_id, profile_id, natural_hash, type, body, importance, said_at,
        sources, version, origin, pii, core, pinned, created_at, changed_at
    )
    values (
        %(tenant)s, %(memory)s, %(tenant)s, %(tenant)s, %(body)s, 'fact', %(body)s, 0.9, now(),
        '{}', 1, %(origin)s, '{}', true, false, now(), now()
    )
"""
DERIVED = b"""
    insert into saegim.derived_memory (
        tenant_id, derived_id, member_id, profile_id, kind, key_hash, basis, body, sources, against,
        first_seen, last_seen, changed_at
    )
    values (
        %(tenant)s, %(memory)s, %(tenant)s, %(tenant)s, 'profile', %(body)s, '', '', %(sources)s,
        '{}', now(), now(), now()
    )
"""


def insert_memories(connection: psycopg.Connection, tenant: UUID, *, derives: bool) -> None:
    """Insert a memory of each origin, each with the line of the profile that follows from it."""
    for origin in ("fallback", "model"):
        memory = uuid4()
        values = {"tenant": tenant, "memory": memory, "body": memory.bytes, "origin": origin}
        connection.execute(MEMORY, values)
        if derives:
            connection.execute(DERIVED, values | {"sources": [memory]})


@pytest.fixture
def upgraded(
    templates: LocalServers, request: pytest.FixtureRequest
) -> Iterator[tuple[psycopg.Connection, set[tuple[str, str]]]]:
    """A database of an old release, with a tenant in it, after today's migrations."""
    schema: Path = request.param
    name = f"upgrade_{release_of(schema).replace('.', '_')}"
    ensure_database(templates.postgres.url(), name)
    url = templates.postgres.url(name)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(gzip.decompress(schema.read_bytes()))
    with psycopg.connect(url, autocommit=True) as connection:
        # As the server's roles have it: what runs inside a trigger finds its tables by it.
        connection.execute("set search_path to saegim, public")
        tenant = uuid4()
        connection.execute(
            b"insert into saegim.tenant (tenant_id, name, created_at) values (%s, %s, now())",
            (tenant, "옛 상사"),
        )
        connection.execute(
            b"insert into saegim.index_state values (%s, 'memory', 1, 'hash/64', 64, now())",
            (tenant,),
        )
        before = {(row[0], row[1]) for row in connection.execute(COLUMNS)}
        insert_memories(connection, tenant, derives=("derived_memory", "kind") in before)
        migrate(url, templates.postgres.url(name, user="saegim_app"))
        yield connection, before
    with psycopg.connect(templates.postgres.url(), autocommit=True) as connection:
        connection.execute(f'drop database "{name}" with (force)'.encode())


@pytest.mark.parametrize("upgraded", DISTINCT.values(), ids=release_of, indirect=True)
def test_upgraded_schema_equals_a_new_one_and_keeps_its_data(
    upgraded: tuple[psycopg.Connection, set[tuple[str, str]]], templates: LocalServers
) -> None:
    connection, before = upgraded
    assert stored_revision(connection.info.dsn) == newest_revision()
    after = {(row[0], row[1]) for row in connection.execute(COLUMNS)}
    assert before <= after, "the previous release still finds every column it knows"
    names = [row[0] for row in connection.execute(b"select name from saegim.tenant")]
    assert names == ["옛 상사"]
    subjects = connection.execute(b"select subject from saegim.index_state order by 1").fetchall()
    assert ("memory",) in subjects
    marked = connection.execute(b"select under_old_rules from saegim.memory").fetchall()
    old_rules = ("memory", "under_old_rules") not in before
    assert marked == [(old_rules,), (old_rules,)], "only what releases before 0.16 stored"
    insert_memories(connection, uuid4(), derives=False)
    later = b"select count(*) from saegim.memory where not under_old_rules"
    assert connection.execute(later).fetchone() == (2 if old_rules else 4,)
    profile = connection.execute(
        b"select origin from saegim.derived_memory join saegim.memory on memory_id = derived_id"
    ).fetchall()
    derives = ("derived_memory", "kind") in before
    left = [("model",)] if old_rules else [("fallback",), ("model",)]
    assert sorted(profile) == left * derives, "lines of old rules leave the profile"
    with psycopg.connect(templates.postgres.url(DATA)) as new:
        new.execute("set search_path to saegim, public")
        expected = set(new.execute(SHAPE).fetchall())
    assert set(connection.execute(SHAPE).fetchall()) == expected


def test_every_release_since_the_initial_schema_has_its_schema() -> None:
    changelog = (Path(__file__).parents[2] / "CHANGELOG.md").read_text("utf-8")
    released = re.findall(r"^## \[(\d+)\.(\d+)\.(\d+)\]", changelog, re.MULTILINE)
    upgradable = {".".join(each) for each in released if tuple(map(int, each)) > LAST_SQUASHED}
    assert {release_of(path) for path in SCHEMAS} == upgradable
