"""The fence between tenants, as the catalogue and the app's own role see it: a table that a later
migration adds is found, filled and attacked without anyone adding it here."""

import asyncio
import contextlib
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import psycopg
import pytest
from psycopg import Connection, IntegrityError
from psycopg.errors import (
    DivisionByZero,
    InsufficientPrivilege,
    InvalidTextRepresentation,
    ReadOnlySqlTransaction,
    UndefinedObject,
)

from benchmarks.doubles.patience import PATIENT_CELL
from saegim.db.cells import HOME_CELL, Cell, fetch_one
from saegim.db.migrate import migrate
from saegim.db.migrations.tenant_tables import PARTITIONS, enable_row_security
from saegim.db.migrations.versions.r0040_no_statistics_of_texts import COLUMNS, STATEMENTS
from tests.integration.isolation.attacks import (
    ATTACKS,
    Attack,
    copy_out,
    lock,
    on,
    read_by_name,
    read_everything,
    update,
)
from tests.integration.isolation.catalogue import Relation, enter, holes, tenant_tables
from tests.integration.isolation.rows import fill, tenant_ids
from tests.stack import Databases

pytestmark = pytest.mark.requirement("OP5")

# So many that each of the partitions holds several.
TENANTS = 200
ROLE = "saegim_app"
ONE_CONNECTION = replace(PATIENT_CELL, connections=1)


@pytest.fixture(scope="module")
def admin(databases: Databases) -> Iterator[Connection]:
    """The owner's connection to a database as `migrate` leaves it, with rows in every table."""
    migrate(databases.admin_url, databases.app_url)
    with psycopg.connect(databases.admin_url, autocommit=True) as connection:
        fill(connection, tenant_ids(TENANTS), rows=1)
        connection.execute("analyze")
        yield connection


@pytest.fixture
def app(databases: Databases, admin: Connection) -> Iterator[Connection]:
    """A fresh connection of the app's role."""
    with psycopg.connect(databases.app_url, autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="module")
def tables(admin: Connection) -> list[Relation]:
    with admin.transaction():
        return tenant_tables(admin)


def test_the_catalogue_shows_no_way_past_the_fence(admin: Connection) -> None:
    with admin.transaction():
        assert holes(admin) == []


def test_tables_with_a_tenant_are_found_with_their_partitions(tables: list[Relation]) -> None:
    names = {table.name for table in tables}

    assert {"tenant", "member", "app_key", "session", "turn_trace"} <= names
    for partitioned in ("turn", "episode", "episode_vector", "term_count"):
        assert {f"{partitioned}_{number:02d}" for number in range(PARTITIONS)} <= names


PLAIN = "create table leak (tenant_id uuid not null, said text)"
RULE = "tenant_id = current_setting('app.tenant')::uuid"
FENCED = [PLAIN, *enable_row_security("leak")]
HOLES: dict[str, list[str]] = {
    "leak has no row-level security": [PLAIN],
    "leak has no policy": [PLAIN, "alter table leak enable row level security"],
    "leak does not force row-level security on its owner": [
        *FENCED,
        "alter table leak no force row level security",
    ],
    "leak: policy open is not the fence": [*FENCED, "create policy open on leak using (true)"],
    "leak: policy reading is not the fence": [
        *FENCED,
        f"create policy reading on leak for select using ({RULE})",
    ],
    "leak: policy unchecked is not the fence": [
        *FENCED,
        f"create policy unchecked on leak using ({RULE}) with check (true)",
    ],
    "leak: policy for_one is not the fence": [
        *FENCED,
        f"create policy for_one on leak to {ROLE} using ({RULE}) with check ({RULE})",
    ],
    "leak.tenant_id is not a uuid that must be there": [
        "create table leak (tenant_id uuid)",
        *enable_row_security("leak"),
    ],
    "leak has no tenant_id and is not listed as shared": ["create table leak (said text)"],
    "turn_more has no row-level security": [
        "alter table turn detach partition turn_00",
        "create table turn_more partition of turn for values with (modulus 16, remainder 0)",
    ],
    "leak is a view that reads with its owner's rights": [
        "create view leak as select * from turn",
    ],
    "leak_all is a view that reads with its owner's rights": [
        "create materialized view leak_all as select * from turn",
    ],
    "leak() runs as its owner": [
        "create function leak() returns int language sql security definer as 'select 1'",
    ],
    "leak: leak_said_key is unique across tenants": [
        *FENCED,
        "create unique index leak_said_key on leak (said)",
    ],
    "leak: leak_job references across tenants": [
        *FENCED,
        "create unique index job_type on procrastinate_jobs (id)",
        "alter table leak add job bigint constraint leak_job references procrastinate_jobs",
    ],
    "leak: leak is not partitioned by tenant": [
        "create table leak (tenant_id uuid not null, said text) partition by hash (said)",
        *enable_row_security("leak"),
    ],
}


@pytest.mark.parametrize("hole", HOLES)
def test_a_table_added_without_its_fence_is_reported(hole: str, admin: Connection) -> None:
    with admin.transaction(force_rollback=True):
        admin.execute("set local search_path to saegim, public")
        for statement in HOLES[hole]:
            admin.execute(statement.encode())
        found = holes(admin)

    assert hole in found


def test_a_table_added_with_its_fence_is_accepted(admin: Connection) -> None:
    with admin.transaction(force_rollback=True):
        admin.execute("set local search_path to saegim, public")
        for statement in FENCED:
            admin.execute(statement.encode())
        assert holes(admin) == []


# The app's role ------------------------------------------------------------------------------


def test_the_app_role_owns_nothing_and_belongs_to_nobody(admin: Connection) -> None:
    flags = admin.execute(
        "select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication "
        "from pg_roles where rolname = %s",
        (ROLE,),
    ).fetchone()
    owned = admin.execute(
        "select classid::regclass::text, objid from pg_shdepend "
        "where refobjid = %s::regrole and deptype = 'o'",
        (ROLE,),
    ).fetchall()
    memberships = admin.execute(
        "select roleid::regrole::text from pg_auth_members where member = %s::regrole", (ROLE,)
    ).fetchall()

    assert flags == (False,) * 5
    assert owned == []
    assert memberships == []


def test_the_app_role_has_no_right_that_row_level_security_does_not_cover(
    admin: Connection, tables: list[Relation]
) -> None:
    # TRUNCATE takes all rows, REFERENCES tells what exists, TRIGGER and MAINTAIN run code or lock.
    beyond = {
        (table.name, right)
        for table in tables
        for right in ("truncate", "references", "trigger", "maintain")
        if admin.execute(
            "select has_table_privilege(%s, %s::oid, %s)", (ROLE, table.oid, right)
        ).fetchone()
        != (False,)
    }

    assert beyond == set()


FORBIDDEN = {
    "become the owner": "set role postgres",
    "become a role of the server": "set role pg_read_all_data",
    "log in as the owner": "set session authorization postgres",
    "lift its own fence": "alter role saegim_app bypassrls",
    "make itself superuser": "alter role saegim_app superuser",
    "make a role": "create role another",
    "make a table": "create table saegim.copy (said text)",
    "make a table in public": "create table public.copy (said text)",
    "make a temporary table": "create temporary table turn (said text)",
    "make a schema": "create schema another",
    "make a function": "create function saegim.f() returns int language sql as 'select 1'",
    "make a policy": "create policy open on saegim.turn using (true)",
    "alter a policy": "alter policy tenant_fence on saegim.turn using (true)",
    "drop a policy": "drop policy tenant_fence on saegim.turn",
    "disable row-level security": "alter table saegim.turn disable row level security",
    "unforce row-level security": "alter table saegim.turn no force row level security",
    "detach a partition": "alter table saegim.turn detach partition saegim.turn_00",
    "truncate a table": "truncate saegim.turn_trace",
    "change the schema's revision": "update saegim.schema_revision set version_num = '9999'",
    "skip triggers and foreign keys": "set session_replication_role to replica",
    "read the server's files": "select pg_read_file('PG_VERSION')",
    "run a program": "copy (select 1) to program 'true'",
    "read passwords": "select * from pg_authid",
}


@pytest.mark.parametrize("deed", FORBIDDEN)
def test_the_app_role_cannot(deed: str, app: Connection) -> None:
    with pytest.raises(InsufficientPrivilege):
        app.execute(FORBIDDEN[deed].encode())


def test_turning_row_level_security_off_gives_an_error_instead_of_rows(
    app: Connection, tables: list[Relation]
) -> None:
    app.execute("set row_security to off")
    for table in tables:
        with pytest.raises(InsufficientPrivilege):
            app.execute(on("select * from {}", table))


def test_the_app_role_sees_no_statistics_of_what_is_in_the_tables(
    admin: Connection, app: Connection, tables: list[Relation]
) -> None:
    statement = "select distinct tablename from pg_stats where tablename = any(%s)"
    names = [table.name for table in tables]

    assert len(admin.execute(statement, (names,)).fetchall()) == len(names)
    assert app.execute(statement, (names,)).fetchall() == []


# Attacks on every table ----------------------------------------------------------------------


def test_another_tenant_reads_and_writes_no_row_of_any_table(
    admin: Connection, app: Connection, tables: list[Relation]
) -> None:
    through = {
        f"{table.name}: {attack.__name__}"
        for table in tables
        for attack in ATTACKS
        if not _withstands(table, attack, admin, app)
    }

    assert through == set()


def test_the_same_statements_reach_a_tenants_own_rows(
    admin: Connection, app: Connection, tables: list[Relation]
) -> None:
    """It is the fence that stops the attacks, not a missing right."""
    for table in tables:
        _, tenant = _two_tenants(admin, table)
        own = _rows_of(admin, table, tenant)
        reading = (read_by_name, read_everything, copy_out)
        # The app may only add to the audit trail.
        appended = table.name.startswith(("audit_event", "audit_seal"))
        for statement in reading if appended else (*reading, update, lock):
            with app.transaction(force_rollback=True):
                enter(app, tenant)
                assert statement(app, table, tenant, own[0]) == len(own), table.name


def test_the_attacks_get_through_where_there_is_no_fence(
    admin: Connection, app: Connection, tables: list[Relation]
) -> None:
    """The attacks are real: with the fence of one table down, each of them succeeds."""
    table = next(each for each in tables if each.name == "turn_trace")
    admin.execute("alter table saegim.turn_trace disable row level security")
    try:
        through = [each for each in ATTACKS if not _withstands(table, each, admin, app)]
    finally:
        admin.execute("alter table saegim.turn_trace enable row level security")

    assert through == list(ATTACKS)


def test_without_a_tenant_every_table_gives_an_error_and_no_row(
    app: Connection, tables: list[Relation]
) -> None:
    for table in tables:
        with pytest.raises(UndefinedObject):
            app.execute(on("select * from {}", table))


@pytest.mark.parametrize("tenant", ["", "nobody", "*", "00000000"])
def test_what_is_not_a_tenant_gives_an_error_and_no_row(
    tenant: str, app: Connection, tables: list[Relation]
) -> None:
    enter(app, tenant, for_session=True)
    for table in tables:
        with pytest.raises(InvalidTextRepresentation):
            app.execute(on("select * from {}", table))


def test_the_tenant_of_a_transaction_does_not_outlive_it(
    app: Connection, tables: list[Relation]
) -> None:
    for table in tables:
        for end in ("commit", "rollback"):
            app.execute("begin")
            enter(app, tenant_ids(1)[0])
            app.execute(on("select * from {}", table))
            app.execute(end.encode())
            with pytest.raises(InvalidTextRepresentation):
                app.execute(on("select * from {}", table))


@pytest.mark.parametrize("how", ["finished", "failed", "cancelled"])
async def test_a_connection_goes_back_to_the_pool_without_its_tenant(
    how: str, databases: Databases, admin: Connection
) -> None:
    tenant = tenant_ids(1)[0]
    cell = Cell(HOME_CELL, databases.app_url, ONE_CONNECTION)
    await cell.open()
    try:
        async with contextlib.AsyncExitStack() as ending:
            if how != "finished":
                ending.enter_context(pytest.raises((DivisionByZero, TimeoutError)))
            if how == "cancelled":
                await ending.enter_async_context(asyncio.timeout(0.05))
            async with cell.transaction(tenant) as connection:
                rows = await fetch_one(connection, "find_cell", tenant=tenant)
                assert rows is not None
                if how == "failed":
                    await connection.execute("select 1 / 0")
                if how == "cancelled":
                    await connection.execute("select pg_sleep(5)")
        with pytest.raises((UndefinedObject, InvalidTextRepresentation)):
            async with cell.connection() as connection:
                await connection.execute("select * from turn")
    finally:
        await cell.close()


async def test_a_read_sees_its_tenant_alone_writes_nothing_and_leaves_no_tenant_behind(
    databases: Databases,
) -> None:
    """Often enough that every statement is prepared: a pipeline must stay one transaction."""
    first, second = tenant_ids(2)
    cell = Cell(HOME_CELL, databases.app_url, ONE_CONNECTION)
    await cell.open()
    try:
        for tenant in (first, second) * 8:
            for named in (first, second):
                [found] = await cell.read_together(tenant, ("find_cell", {"tenant": named}))
                assert bool(found) == (named == tenant)
            async with cell.connection() as connection:
                with pytest.raises(InvalidTextRepresentation):
                    await connection.execute("select * from turn")
            with pytest.raises(ReadOnlySqlTransaction):
                await cell.read(tenant, "set_cell", cell=HOME_CELL, now=datetime.now(UTC))
    finally:
        await cell.close()


def _withstands(table: Relation, attack: Attack, admin: Connection, app: Connection) -> bool:
    attacker, victim = _two_tenants(admin, table)
    before = _rows_of(admin, table, victim)
    assert before, f"{table.name} has no row to attack"
    try:
        with app.transaction(force_rollback=True):
            enter(app, attacker)
            reached = attack(app, table, victim, before[0])
    except InsufficientPrivilege:
        reached = 0
    except IntegrityError:
        # The fence let the row in; only a key stopped it.
        reached = 1
    return reached == 0 and _rows_of(admin, table, victim) == before


def _two_tenants(admin: Connection, table: Relation) -> tuple[UUID, UUID]:
    """Two tenants that have rows in the table, be it a partition."""
    rows = admin.execute(
        on("select distinct tenant_id from {} order by tenant_id limit 2", table)
    ).fetchall()
    assert len(rows) == 2, f"{table.name} holds fewer than two tenants"
    return rows[0][0], rows[1][0]


def _rows_of(admin: Connection, table: Relation, tenant: UUID) -> list[str]:
    statement = on("select to_jsonb(t)::text from {} t where tenant_id = %s", table)
    return sorted(row for (row,) in admin.execute(statement, (tenant,)))


def test_statistics_hold_no_words_of_documents(admin: Connection) -> None:
    admin.execute("set search_path to saegim, public")
    admin.execute("analyze")
    assert _statistics(admin) == set()
    for table, column, _ in COLUMNS:
        admin.execute(f"alter table {table} alter column {column} set statistics 100".encode())
    admin.execute("analyze")
    assert len(_statistics(admin)) >= len(COLUMNS) - 3, "some columns may be empty"
    for statement in STATEMENTS:
        admin.execute(statement.encode())
    assert _statistics(admin) == set()


# Texts of these tables that hold no words of a document.
NO_WORDS = {
    ("document", "type"),
    ("document", "version"),
    ("ingest", "type"),
    ("ingest_file", "media_type"),
    ("ingest_file", "state"),
    ("original", "media_type"),
    ("passage", "language"),
    ("passage", "locator"),
    ("passage_vector", "embedder"),
}


def test_every_text_of_a_document_is_kept_out_of_the_statistics(admin: Connection) -> None:
    rows = admin.execute(
        """
        select table_name, column_name from information_schema.columns c
        where table_schema = 'saegim' and (data_type in ('text', 'jsonb') or udt_name = '_text')
        and table_name !~ '_[0-9]+$' and exists (
            select from information_schema.columns o
            where o.table_schema = c.table_schema and o.table_name = c.table_name
            and o.column_name in ('document_id', 'passage_id', 'ingest_id', 'original_id')
        )
        """
    ).fetchall()
    assert {*rows} - {(table, column) for table, column, _ in COLUMNS} == NO_WORDS


def _statistics(admin: Connection) -> set[tuple[str, str]]:
    """Returns those of `COLUMNS` that have statistics, in a table or a partition."""
    rows = admin.execute("select tablename, attname from pg_stats").fetchall()
    return {
        (table, column)
        for table, column, _ in COLUMNS
        for name, attribute in rows
        if attribute == column and (name == table or re.fullmatch(rf"{table}_\d+", name))
    }
