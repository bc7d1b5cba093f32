"""Schema migration; an advisory lock serialises concurrent runs."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

import psycopg
from alembic import command
from alembic.config import Config
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.pool import NullPool

from saegim.db.revision import newest_revision

MIGRATIONS = Path(__file__).parent / "migrations"
SCHEMA = "saegim"
# Arbitrary number; held during a migration.
ADVISORY_LOCK = 7_323_445_146
# Give up instead of blocking every other query.
LOCK_TIMEOUT = "5s"
AUDIT_TABLES = """
select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = %s and c.relkind in ('r', 'p') and c.relname ~ '^audit_(event|seal)(_[0-9]+)?$'
"""
# Columns that sealing a batch and key rotation write.
SEALING_COLUMNS = ("sealed_in", "reason_digest", "reason")


def migrate(admin_url: str, app_url: str) -> str:
    """Runs pending migrations as the owner, grants rights to the app, and returns the revision."""
    with psycopg.connect(admin_url, autocommit=True) as connection:
        connection.execute("select pg_advisory_lock(%s)", (ADVISORY_LOCK,))
        _provision(connection, app_url)
        _upgrade(admin_url)
        _grant(connection, _role_of(app_url))
    return newest_revision()


def ensure_database(admin_url: str, name: str) -> None:
    """Creates the database unless it exists."""
    with psycopg.connect(admin_url, autocommit=True) as connection:
        found = connection.execute("select 1 from pg_database where datname = %s", (name,))
        if found.fetchone() is None:
            connection.execute(sql.SQL("create database {}").format(sql.Identifier(name)))


def _role_of(url: str) -> str:
    role = conninfo_to_dict(url).get("user")
    return str(role) if role else "saegim_app"


def _provision(connection: psycopg.Connection, app_url: str) -> None:
    role = _role_of(app_url)
    name = sql.Identifier(role)
    database = sql.Identifier(connection.info.dbname)
    known = connection.execute("select 1 from pg_roles where rolname = %s", (role,)).fetchone()
    if known is None:
        password = unquote(urlsplit(app_url).password or "")
        connection.execute(
            sql.SQL("create role {} login nosuperuser nobypassrls nocreatedb nocreaterole").format(
                name
            )
        )
        if password:
            connection.execute(
                sql.SQL("alter role {} password {}").format(name, sql.Literal(password))
            )
    connection.execute("create extension if not exists vector")
    connection.execute(sql.SQL("create schema if not exists {}").format(sql.Identifier(SCHEMA)))
    # A temporary table would hide a table of ours, whatever the search path.
    connection.execute(sql.SQL("revoke temporary on database {} from public").format(database))
    for setting in (
        sql.SQL("search_path to saegim, public"),
        # Parallel workers add 8-10 ms to short queries.
        sql.SQL("max_parallel_workers_per_gather to 0"),
    ):
        connection.execute(
            sql.SQL("alter role {} in database {} set {}").format(name, database, setting)
        )


def _grant(connection: psycopg.Connection, role: str) -> None:
    schema, name = sql.Identifier(SCHEMA), sql.Identifier(role)
    for statement in (
        "grant usage on schema {schema} to {role}",
        "grant select, insert, update, delete on all tables in schema {schema} to {role}",
        "grant usage, select on all sequences in schema {schema} to {role}",
        "revoke insert, update, delete on {schema}.schema_revision from {role}",
    ):
        connection.execute(sql.SQL(statement).format(schema=schema, role=name))
    _protect_audit(connection, name)


def _protect_audit(connection: psycopg.Connection, role: sql.Identifier) -> None:
    """Lets the app only insert and seal audit events. Partitions have rights of their own."""
    rows = connection.execute(AUDIT_TABLES, (SCHEMA,)).fetchall()
    for (name,) in rows:
        table = sql.Identifier(SCHEMA, name)
        connection.execute(sql.SQL("revoke update, delete on {} from {}").format(table, role))
        if not name.startswith("audit_seal"):
            columns = sql.SQL(", ").join(map(sql.Identifier, SEALING_COLUMNS))
            connection.execute(
                sql.SQL("grant update ({}) on {} to {}").format(columns, table, role)
            )


def _engine(url: str) -> Engine:
    return create_engine(
        "postgresql+psycopg://",
        creator=lambda: psycopg.connect(url),
        poolclass=NullPool,
    )


def _enter_schema(connection: Connection) -> None:
    connection.exec_driver_sql(f"set search_path to {SCHEMA}, public")
    connection.exec_driver_sql(f"set lock_timeout to '{LOCK_TIMEOUT}'")
    connection.commit()


def _upgrade(admin_url: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with _engine(admin_url).connect() as connection:
        _enter_schema(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        connection.commit()
