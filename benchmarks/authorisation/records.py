"""Compare and restore the tables that contain rights, around each request."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg import Connection
from psycopg.rows import dict_row
from psycopg.sql import SQL, Identifier
from psycopg.types.json import Jsonb

# Tables and their primary keys.
TABLES: Mapping[str, tuple[str, ...]] = {
    "app_key": ("key_id",),
    "member": ("member_id",),
    "identity": ("identity_id",),
    "issuer": ("issuer_id",),
    "link_code": ("code_hash",),
    "collection": ("collection_id",),
    "assistant_collection": ("assistant_id", "collection_id"),
    "ingest": ("ingest_id",),
    "ingest_file": ("file_id",),
    "source": ("source_id",),
    "erasure": ("erasure_id",),
    "session": ("session_id",),
    "turn": ("turn_id",),
    "memory": ("memory_id",),
    "memory_version": ("memory_id", "version"),
    "feedback": ("turn_id",),
    "consent": ("subject_id",),
}
# Follows from a new collection, which its assistant may read.
FORGET_COLLECTIONS = """
delete from saegim.assistant_collection a where tenant_id = %(tenant)s and not exists (
    select from saegim.collection c
    where c.tenant_id = a.tenant_id and c.collection_id = a.collection_id
)
"""
# Columns that a read updates.
IGNORED = frozenset({"used_at", "lease_until", "lease_owner", "attempt"})

type Rows = dict[str, dict[tuple[str, ...], dict[str, Any]]]


@dataclass(frozen=True)
class Change:
    """A row that was added, changed or removed."""

    table: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None

    @property
    def row(self) -> dict[str, Any]:
        found = self.after or self.before
        assert found is not None, "one of them is there"
        return found


class Records:
    def __init__(self, admin: Connection, tenant: UUID) -> None:
        self._admin = admin
        self._tenant = tenant
        self.rows = self.read()

    def read(self) -> Rows:
        found: Rows = {}
        with self._admin.cursor(row_factory=dict_row) as cursor:
            for table, key in TABLES.items():
                query = SQL("select to_jsonb(t) as row from saegim.{} t where tenant_id = %s")
                rows = cursor.execute(query.format(Identifier(table)), (self._tenant,))
                found[table] = {tuple(str(one["row"][k]) for k in key): one["row"] for one in rows}
        return found

    def changes(self) -> list[Change]:
        """Returns the differences."""
        return list(_changes(self.rows, self.read()))

    def restore(self, changes: list[Change]) -> None:
        """Restores the tables."""
        if not changes:
            return
        with self._admin.transaction():
            # Without foreign keys and triggers, so that the order does not matter.
            self._admin.execute("set local session_replication_role = replica")
            for change in changes:
                self._put_back(change)
            self._admin.execute(FORGET_COLLECTIONS, {"tenant": self._tenant})

    def _put_back(self, change: Change) -> None:
        table, key = Identifier("saegim", change.table), TABLES[change.table]
        if change.after is not None:
            same = SQL(" and ").join(SQL("to_jsonb(t) -> {} = %s").format(each) for each in key)
            where = SQL("delete from {} t where tenant_id = %s and ").format(table) + same
            values = [Jsonb(change.after[each]) for each in key]
            self._admin.execute(where, (self._tenant, *values))
        if change.before is not None:
            insert = SQL(
                "insert into {0} overriding system value "
                "select * from jsonb_populate_record(null::{0}, %s)"
            ).format(table)
            self._admin.execute(insert, (Jsonb(change.before),))


def _changes(before: Rows, after: Rows) -> Iterator[Change]:
    for table in TABLES:
        for key in before[table].keys() | after[table].keys():
            old, new = before[table].get(key), after[table].get(key)
            if _same(old, new):
                continue
            yield Change(table, old, new)


def _same(old: dict[str, Any] | None, new: dict[str, Any] | None) -> bool:
    if old is None or new is None:
        return old is new
    return all(old[name] == new[name] for name in old.keys() - IGNORED)
