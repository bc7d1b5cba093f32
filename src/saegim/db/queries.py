"""Named SQL queries. Each stands, with a description, in the `queries.sql` of its feature."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
_NAME = re.compile(r"^-- name: (?P<name>\w+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class NamedQuery:
    name: str
    description: str
    text: bytes


@cache
def named_queries() -> dict[str, NamedQuery]:
    """All named queries, of every feature."""
    found: dict[str, NamedQuery] = {}
    for file in sorted(PACKAGE.rglob("queries.sql")):
        for query in _parse(file.read_text("utf-8")):
            if query.name in found:
                raise ValueError(f"two queries are called {query.name}")
            found[query.name] = query
    return found


def query(name: str) -> bytes:
    """The text of the query with this name."""
    return named_queries()[name].text


def _parse(source: str) -> list[NamedQuery]:
    starts = list(_NAME.finditer(source))
    ends = [match.start() for match in starts[1:]] + [len(source)]
    return [
        _named(match["name"], source[match.end() : end])
        for match, end in zip(starts, ends, strict=True)
    ]


def _named(name: str, body: str) -> NamedQuery:
    lines = body.strip().splitlines()
    comments = [line for line in lines if line.startswith("--")]
    statement = "\n".join(line for line in lines if not line.startswith("--"))
    description = " ".join(line.removeprefix("--").strip() for line in comments)
    return NamedQuery(name, description, statement.strip().rstrip(";").encode())
