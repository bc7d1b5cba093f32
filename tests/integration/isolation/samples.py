"""A value for every placeholder of any named query, from what a tenant has stored."""

import re
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest
from psycopg import Connection
from psycopg.errors import IndeterminateDatatype
from psycopg.rows import dict_row
from psycopg.sql import SQL, Identifier
from psycopg.types.json import Jsonb

from saegim.db.pool import NamedQuery
from tests.integration.isolation.rows import NOW

PLACEHOLDER = re.compile(r"%\((\w+)\)s")
TABLE = re.compile(r"\b(?:from|join|update|into) (?:saegim\.)?([a-z_]\w*)(?: (?:as )?([a-z_]\w*))?")
INSERT = re.compile(r"\binto ([a-z_]\w*) \( ?([^)]+?) ?\) (?:values \(|select )(.+)")

# Values for placeholders that stand for no column, by the type that the server sees in them.
BY_TYPE: dict[str, Any] = {
    "smallint": 5,
    "integer": 5,
    "bigint": 5,
    "real": 0.5,
    "double precision": 8.0,
    "boolean": True,
    "text": "이름",
    "character varying": "이름",
    "bytea": b"bytes",
    "timestamp with time zone": NOW,
    "date": NOW.date(),
    "integer[]": [3, 5, 8],
    "bigint[]": [3, 5, 8],
    "text[]": ["하나", "둘"],
    "jsonb": Jsonb({"하나": 1}),
    "uuid": UUID(int=1),
    "uuid[]": [UUID(int=1), UUID(int=2)],
    "halfvec": "[" + ",".join(["0.25"] * 16) + "]",
    "sparsevec": "{1:1}/1000000",
}


@dataclass
class Sample:
    """One tenant's rows, the first of each table, read with the owner's rights."""

    connection: Connection
    tenant: UUID
    _rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    _values: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def partition(self) -> str:
        """The number of the partition that holds the tenant."""
        return self._row("turn")["partition"]

    def values(self, query: NamedQuery) -> dict[str, Any]:
        """A value for each placeholder, in the order in which they first appear."""
        if query.name not in self._values:
            self._values[query.name] = self._found(query)
        return self._values[query.name]

    def _found(self, query: NamedQuery) -> dict[str, Any]:
        text = " ".join(query.text.decode().split())
        names = dict.fromkeys(PLACEHOLDER.findall(text))
        types = self._types(query, text, list(names))
        return {
            name: self.tenant if name == "tenant" else self._value(query, text, name, types[name])
            for name in names
        }

    def _value(self, query: NamedQuery, text: str, name: str, kind: str) -> Any:
        column = _compared(text, name) or _inserted(text, name)
        if column is not None:
            for row in self._rows_for(text, column.table):
                if row.get(column.name) is not None:
                    value = row[column.name]
                    return [value] if column.several else _adapted(value)
        if kind not in BY_TYPE:
            pytest.fail(f"{query.name}: say in BY_TYPE of samples.py which {kind} %({name})s gets")
        return BY_TYPE[kind]

    def _rows_for(self, text: str, qualifier: str | None) -> list[dict[str, Any]]:
        """Rows of the tables of the query, or of the one that it calls by `qualifier`."""
        aliases = {alias or table: table for table, alias in TABLE.findall(text)}
        named = (
            [aliases[qualifier]] if qualifier in aliases else [t for t, _ in TABLE.findall(text)]
        )
        return [row for table in named if (row := self._row(table))]

    def _row(self, table: str) -> dict[str, Any]:
        if table not in self._rows:
            self._rows[table] = self._first(table)
        return self._rows[table]

    def _first(self, table: str) -> dict[str, Any]:
        """The tenant's first row of a table; of a shared one any; none where it is no table."""
        columns = self.connection.execute(
            "select attname from pg_attribute where attrelid = to_regclass(%s)", (table,)
        ).fetchall()
        if not columns:
            return {}
        whose = "tenant_id = %(tenant)s" if ("tenant_id",) in columns else "true"
        statement = SQL(
            "select *, right(tableoid::regclass::text, 2) as partition from {} where {} limit 1"
        ).format(Identifier(table), SQL(whose))
        with self.connection.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(statement, {"tenant": self.tenant}).fetchone() or {}

    def _types(self, query: NamedQuery, text: str, names: list[str]) -> dict[str, str]:
        """Returns the server's types of the placeholders."""
        numbered = PLACEHOLDER.sub(lambda found: f"${names.index(found[1]) + 1}", text)
        try:
            self.connection.execute(f"prepare inferred as {numbered.replace('%%', '%')}".encode())
        except IndeterminateDatatype as unclear:
            pytest.fail(f"{query.name}: a placeholder needs a cast: {unclear}")
        row = self.connection.execute(
            "select parameter_types::text[] from pg_prepared_statements where name = 'inferred'"
        ).fetchone()
        self.connection.execute("deallocate inferred")
        assert row is not None
        return dict(zip(names, row[0], strict=True))


@dataclass(frozen=True)
class Column:
    """The column of a placeholder; `several` if it is a list."""

    name: str
    table: str | None = None
    several: bool = False


def _compared(text: str, name: str) -> Column | None:
    found = re.search(rf"(?:\b(\w+)\.)?\b(\w+)\)? (?:=|<>|<=|>=|<|>) (any\( ?)?%\({name}\)s", text)
    return Column(found[2], found[1], bool(found[3])) if found else None


def _inserted(text: str, name: str) -> Column | None:
    for table, columns, values in INSERT.findall(text):
        for column, value in zip(columns.split(","), _split(values), strict=False):
            # An argument of a function, such as `secs => %(x)s`, stands for no column.
            given = value.partition(" from ")[0]
            if f"%({name})s" in given and f"=> %({name})s" not in given:
                return Column(column.strip(), table)
    return None


def _split(values: str) -> list[str]:
    """A list of values at the commas that are in no bracket, up to the bracket that ends it."""
    parts, depth = [""], 0
    for character in values:
        depth += (character in "([") - (character in ")]")
        if depth < 0:
            break
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _adapted(value: Any) -> Any:
    return Jsonb(value) if isinstance(value, dict) else value
