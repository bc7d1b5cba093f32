"""Named queries as the app runs them: prepared with psycopg's types, explained by the server."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString

from psycopg import Connection
from psycopg.adapt import PyFormat, Transformer
from psycopg.sql import SQL, Composable, Identifier, Literal

from saegim.db.pool import NamedQuery
from tests.integration.isolation.samples import PLACEHOLDER

PARTITION = re.compile(r"(?<=[a-z])_(\d\d)(?=_|$)")


@dataclass(frozen=True)
class Node:
    """One step of a plan, without the numbers that differ from run to run."""

    kind: str
    relation: str
    partition: str
    index: str
    condition: str
    below: tuple["Node", ...]

    def walk(self) -> list["Node"]:
        return [self, *(node for each in self.below for node in each.walk())]

    def touched(self) -> set[tuple[str, str]]:
        """The partitions that rows are looked for in, with their table."""
        return {(node.relation, node.partition) for node in self.walk() if node.partition}

    def read_whole(self) -> set[str]:
        """The tables that are read from end to end."""
        return {node.relation for node in self.walk() if node.kind == "Seq Scan"}

    def read_by_tenant_alone(self) -> set[str]:
        """The indexes that are asked for everything that a tenant has."""
        return {node.index for node in self.walk() if node.condition == "tenant_id"}

    def steps(self) -> list[tuple[str, ...]]:
        """Returns the steps of a plan for any partition, in a stable order."""
        return sorted(
            (node.kind, node.relation, node.index, node.condition) for node in self.walk()
        )


def prepare(
    connection: Connection, query: NamedQuery, samples: Sequence[Mapping[str, Any]]
) -> None:
    """Prepares a query as psycopg does after a few runs: with the types of the values."""
    names = list(samples[0])
    text = PLACEHOLDER.sub(lambda found: f"${names.index(found[1]) + 1}", query.text.decode())
    adapt = Transformer(connection)
    oids = [adapt.get_dumper(_widest(samples, name), PyFormat.AUTO).oid for name in names]
    found = connection.execute(
        "select coalesce(format_type(nullif(oid, 0), null), 'unknown') "
        "from unnest(%s::oid[]) with ordinality as each (oid, place) order by place",
        (oids,),
    )
    types = ", ".join(kind for (kind,) in found)
    header = f"prepare {query.name} ({types})" if types else f"prepare {query.name}"
    connection.execute(f"{header} as {text.replace('%%', '%')}".encode())


def _widest(samples: Sequence[Mapping[str, Any]], name: str) -> Any:
    """The value that the widest type is taken for: psycopg takes the narrowest that fits."""
    values = [sample[name] for sample in samples]
    return max(values) if isinstance(values[0], int | list) else values[0]


def explain(connection: Connection, query: NamedQuery, values: Mapping[str, Any]) -> Node:
    """The plan that the prepared query gets this time."""
    return _node(_explained(connection, query, values, "format json"))


def rows_passed_over(connection: Connection, query: NamedQuery, values: Mapping[str, Any]) -> int:
    """Returns how many rows the prepared query reads and discards; writes are rolled back."""
    with connection.transaction(force_rollback=True):
        plan = _explained(connection, query, values, "analyze, timing off, format json")
    return _passed_over(plan)


def _explained(
    connection: Connection, query: NamedQuery, values: Mapping[str, Any], options: LiteralString
) -> dict[str, Any]:
    arguments: Composable = SQL(", ").join(Literal(each) for each in values.values())
    call = SQL("({})").format(arguments) if values else SQL("")
    statement = SQL("explain ({}) execute {}").format(SQL(options), Identifier(query.name)) + call
    row = connection.execute(statement).fetchone()
    assert row is not None
    return row[0][0]["Plan"]


def _passed_over(plan: Mapping[str, Any]) -> int:
    own = plan.get("Rows Removed by Filter", 0) * plan.get("Actual Loops", 1)
    return int(own) + sum(_passed_over(each) for each in plan.get("Plans", ()))


def _node(plan: Mapping[str, Any]) -> Node:
    below = plan.get("Plans", ())
    if "Append" in plan["Node Type"] and plan.get("Subplans Removed") and len(below) == 1:
        # A generic plan keeps all partitions and drops the others when it starts: that makes
        # planning cheap and reads the same rows in the same way.
        return _node(below[0])
    relation, index = plan.get("Relation Name", ""), plan.get("Index Name", "")
    partition = PARTITION.search(relation)
    return Node(
        kind=plan["Node Type"],
        relation=PARTITION.sub("", relation),
        partition=partition[1] if partition else "",
        index=PARTITION.sub("", index),
        condition=_columns(plan.get("Index Cond", "")),
        below=tuple(_node(each) for each in below),
    )


def _columns(condition: str) -> str:
    """Which columns an index is asked by; the values differ from run to run."""
    return " ".join(re.findall(r"\(+(?:\w+\.)?(\w+) (?:=|<|>|<=|>=)", condition))
