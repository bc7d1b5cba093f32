"""Ways to reach another tenant's rows, for any table, under the app's role."""

from collections.abc import Callable
from uuid import UUID

from psycopg import Connection
from psycopg.sql import SQL, Identifier

from tests.integration.isolation.catalogue import Relation


def on(statement: str, table: Relation) -> bytes:
    """The statement with the table's name in its braces."""
    name = SQL("saegim.{}").format(Identifier(table.name)).as_string()
    return statement.format(name).encode()


type Attack = Callable[[Connection, Relation, UUID, str], int]
"""Tries to reach the victim's rows; returns how many it reached."""


def read_by_name(app: Connection, table: Relation, victim: UUID, row: str) -> int:
    return app.execute(on("select * from {} where tenant_id = %s", table), (victim,)).rowcount


def read_everything(app: Connection, table: Relation, victim: UUID, row: str) -> int:
    rows = app.execute(on("select tenant_id from {}", table)).fetchall()
    return sum(tenant == victim for (tenant,) in rows)


def copy_out(app: Connection, table: Relation, victim: UUID, row: str) -> int:
    with (
        app.cursor() as cursor,
        cursor.copy(on("copy (select tenant_id from {}) to stdout", table)) as copied,
    ):
        return sum(str(victim).encode() in bytes(line) for line in copied)


def insert(app: Connection, table: Relation, victim: UUID, row: str) -> int:
    statement = on(
        "insert into {0} overriding system value "
        "select * from jsonb_populate_record(null::{0}, %s)",
        table,
    )
    return app.execute(statement, (row,)).rowcount


def give_away(app: Connection, table: Relation, victim: UUID, row: str) -> int:
    return app.execute(on("update {} set tenant_id = %s", table), (victim,)).rowcount


def update(app: Connection, table: Relation, victim: UUID, row: str) -> int:
    statement = on("update {} set tenant_id = tenant_id where tenant_id = %s", table)
    return app.execute(statement, (victim,)).rowcount


def lock(app: Connection, table: Relation, victim: UUID, row: str) -> int:
    statement = on("select 1 from {} where tenant_id = %s for update", table)
    return app.execute(statement, (victim,)).rowcount


def delete(app: Connection, table: Relation, victim: UUID, row: str) -> int:
    return app.execute(on("delete from {} where tenant_id = %s", table), (victim,)).rowcount


def merge(app: Connection, table: Relation, victim: UUID, row: str) -> int:
    statement = on(
        "merge into {} t using (select %s::uuid as v) s on t.tenant_id = s.v "
        "when matched then delete",
        table,
    )
    return app.execute(statement, (victim,)).rowcount


ATTACKS: tuple[Attack, ...] = (
    read_by_name,
    read_everything,
    copy_out,
    insert,
    give_away,
    update,
    lock,
    delete,
    merge,
)
