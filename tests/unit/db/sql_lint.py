"""Find queries that leave their tenant, and SQL outside the named queries."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import saegim
from saegim.db.pool import NamedQuery, named_queries

SOURCE = Path(saegim.__file__).parent
QUERIES = named_queries()

# Tables that all tenants of a cell share; the catalogue's test holds the same list.
SHARED = re.compile(
    r"procrastinate_\w+|job_failure|account_directory|set_up_code|schema_revision|embedder_use|pg_\w+"
)

# What does not reach the tables under the app's login, each with its reason.
ELSEWHERE = {
    "encryption/": "the keyring is a database of its own, with one table",
    "library/index/lance/": "LanceDB speaks no SQL; its merges are called execute too",
    "governance/backup/backups.py": "copies whole tables as their owner, named by the catalogue",
    "db/row_copy.py": "copies whole tables as their owner, named by the catalogue",
    "governance/backup/tenant_file.py": "copies a tenant's rows as their owner, by the catalogue",
    "governance/tenant_move/copier.py": "copies a tenant's rows as their owner, by the catalogue",
    "db/tables.py": "reads the catalogue as the owner of its tables",
    "db/migrate.py": "changes the schema as its owner, before anything is served",
    "db/migrations/": "changes the schema as its owner, before anything is served",
}

EXECUTING = {"execute", "executemany", "exec_driver_sql", "copy"}
SQL_TEXT = re.compile(
    r"\s*(select\s.+\sfrom\s+\w|select\s+set_config|insert\s+into\s+\w|update\s+\w+\s+set\s"
    r"|delete\s+from\s+\w|merge\s+into\s|truncate\s+\w"
    r"|(create|alter|drop)\s+(table|index|view|policy|role|schema|function|database)\s)",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True)
class Reference:
    """A table that a query reads or writes, and the name it calls it by."""

    table: str
    alias: str
    inserts: bool


REFERENCE = re.compile(
    r"\b(from|join|update|into)\s+(?:only\s+)?(?:saegim\.)?([a-z_]\w*)(?!\w)(?!\()(?:\s+(?:as\s+)?([a-z_]\w*))?"
)
# A word after a table's name that is not its alias.
AFTER_TABLE = re.compile(
    r"where|set|on|join|left|right|inner|cross|full|order|group|limit|values|select|for|using"
    r"|returning|union"
)
NOT_TABLES = re.compile(r"\bfor (no key )?update\b|\bdo update set\b|\bdistinct from\b")
LISTED = re.compile(r"\bfrom\s+[a-z_]\w*(\s+[a-z_]\w*)?\s*,")
DEFINED = re.compile(r"\b([a-z_]\w*) as (?:materialized )?\(")


def plain(query: NamedQuery) -> str:
    """The query in one line, without words that only look like tables."""
    return NOT_TABLES.sub("", " ".join(query.text.decode().split()))


def names_tenant(query: NamedQuery) -> bool:
    """Whether the query has a condition on, or a value for, the tenant of its rows."""
    text = plain(query)
    of_job = "args ->> 'tenant' = %(tenant)s" in text
    return of_job or (any(references(text)) and not crossings(query))


def crossings(query: NamedQuery) -> list[str]:
    """The tables that a query does not keep to its tenant."""
    text = plain(query)
    if LISTED.search(text):
        return ["a list of tables"]
    found = list(references(text))
    kept = {each.alias for each in found if _is_kept(text, each, found)}
    # Whatever is joined to a kept table by its tenant is kept as well.
    for _ in found:
        kept |= {each.alias for each in found if any(_is_tied(text, each.alias, to) for to in kept)}
    return sorted(each.table for each in found if each.alias not in kept)


def references(text: str) -> Iterator[Reference]:
    defined = set(DEFINED.findall(text))
    for keyword, table, alias in REFERENCE.findall(text):
        if table in defined or SHARED.fullmatch(table):
            continue
        alone = not alias or AFTER_TABLE.fullmatch(alias)
        yield Reference(table, table if alone else alias, keyword == "into")


def _is_kept(text: str, reference: Reference, among: Sequence[Reference]) -> bool:
    table, alias = reference.table, reference.alias
    if reference.inserts:
        columns = rf"into {table} \( ?tenant_id\b[^)]*\) (values \( ?|select )%\(tenant\)s"
        conflicts = set(re.findall(r"on conflict \( ?(\w+)", text))
        return bool(re.search(columns, text)) and conflicts <= {"tenant_id"}
    if re.search(rf"\b(where|and|on) {alias}\.tenant_id = %\(tenant\)s", text):
        return True
    # Without an alias, a condition may be any table's: there must be one for each.
    bare = [each for each in among if each.alias == each.table and not each.inserts]
    conditions = re.findall(r"\b(?:where|and|on) tenant_id = %\(tenant\)s", text)
    return reference in bare and len(conditions) >= len(bare)


def _is_tied(text: str, alias: str, to: str) -> bool:
    pair = rf"\b(where|and|on) (?:{alias}\.tenant_id = {to}|{to}\.tenant_id = {alias})\.tenant_id\b"
    return bool(re.search(pair, text))


@dataclass(frozen=True)
class Module:
    """The parts of a module that the lint checks."""

    path: str
    statements: frozenset[str]
    sql: bool
    written: frozenset[str]
    passed: frozenset[str]
    asked: frozenset[str]


@cache
def modules() -> tuple[Module, ...]:
    """Every module that may run SQL, read once."""
    return tuple(
        _module(path, ast.parse(file.read_text("utf-8")))
        for file in sorted(SOURCE.rglob("*.py"))
        if not (path := file.relative_to(SOURCE).as_posix()).startswith(tuple(ELSEWHERE))
    )


def _module(path: str, tree: ast.Module) -> Module:
    written, called = list(texts(tree)), calls(tree)
    return Module(
        path,
        statements=frozenset(statements(called)),
        sql=any(map(SQL_TEXT.match, written)),
        written=frozenset(written) & QUERIES.keys(),
        passed=frozenset(passed_texts(called)) & QUERIES.keys(),
        asked=frozenset(asked_names(called)),
    )


def calls(tree: ast.AST) -> list[ast.Call]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def statements(called: Sequence[ast.Call]) -> Iterator[str]:
    """Returns executed statements that are not named queries."""
    for call in called:
        match call:
            case ast.Call(func=ast.Attribute(attr=name), args=[statement, *_]) if name in EXECUTING:
                if not _is_named(statement):
                    yield ast.unparse(statement)
            case _:
                pass


def _is_named(statement: ast.expr) -> bool:
    match statement:
        case ast.Call(func=ast.Name(id="query")):
            return True
        case _:
            return False


def asked_names(called: Sequence[ast.Call]) -> Iterator[str]:
    """The queries that are asked for by a literal name."""
    for call in called:
        match call:
            case ast.Call(
                func=ast.Name(id="execute" | "fetch_one" | "fetch_all"),
                args=[_, ast.Constant(value=str(name))],
            ):
                yield name
            case ast.Call(
                func=ast.Attribute(
                    attr="run_query" | "fetch_one" | "fetch_all" | "read" | "read_one"
                ),
                args=[_, ast.Constant(value=str(name))],
            ):
                yield name
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Name(id="self" | "writer"), attr="one" | "all" | "run"
                ),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield name
            case ast.Call(func=ast.Name(id="query"), args=[ast.Constant(value=str(name))]):
                yield name
            case _:
                pass


def passed_texts(called: Sequence[ast.Call]) -> Iterator[str]:
    """Yields every text that is passed in a call, directly, in a tuple or in a conditional."""
    for call in called:
        for given in (*call.args, *(keyword.value for keyword in call.keywords)):
            several = isinstance(given, ast.Tuple | ast.IfExp | ast.Starred)
            for part in ast.walk(given) if several else (given,):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value


def texts(node: ast.AST) -> Iterator[str]:
    """Every text of a module but its docstrings; what an f-string fills in shows as `x`."""
    match node:
        case ast.Expr(value=ast.Constant()):
            pass
        case ast.JoinedStr(values=parts):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "x" for part in parts
            )
        case ast.Constant(value=str(text)):
            yield text
        case ast.Constant(value=bytes(data)):
            yield data.decode("latin-1")
        case _:
            for child in ast.iter_child_nodes(node):
                yield from texts(child)


def sql_texts(tree: ast.AST) -> list[str]:
    return [text for text in texts(tree) if SQL_TEXT.match(text)]
