"""Every query names its tenant, and all SQL is in named queries."""

import ast
import re

import pytest

from saegim.db.pool import NamedQuery
from saegim.governance.personal_data import PERSONAL
from tests.unit.db.sql_lint import (
    QUERIES,
    calls,
    crossings,
    modules,
    names_tenant,
    sql_texts,
    statements,
)

pytestmark = pytest.mark.requirement("OP5")

# Queries that name no tenant, each with its reason. They touch shared tables alone.
OF_THE_CELL = {
    "store_health": "how the cell is, for operators: versions and counts",
    "stored_revision": "the schema is the cell's",
    "defer_job": "adds a job that carries its tenant, at a place among all tenants' jobs",
    "fetch_job": "the worker takes the first job in line, whosever it is",
    "fetch_without_model": "the worker takes the first job that calls no model, whosever it is",
    "fetch_watch": "the worker takes the first watch of a turn in line, whosever it is",
    "place_due_jobs": "the worker gives every tenant's due jobs their place",
    "note_failure": "the worker notes the class of an error by the job's id",
    "find_orphans": "the worker looks for jobs that any dead worker left",
    "lock_orphan": "the worker holds one of these by its id",
    "release_orphan": "the worker puts one of these back by its id",
    "list_jobs": "operators see the queue of the cell: ids and kinds",
    "replay_jobs": "operators put dead letters back, by id or all",
    "set_up_done": "a server without any tenant shows the set-up",
    "add_set_up_code": "nobody has a tenant yet",
    "find_set_up_code": "nobody has a tenant yet",
    "use_set_up_code": "nobody has a tenant yet",
    "accounts_by_email": "somebody who signs in names no tenant: keyed hash to tenants",
    "embedders_in_use": "a start needs the names of embedders, whosever indexes they are in",
}

# Queries that the owner's login runs for operators; the app's role is fenced from their rows.
OF_OPERATORS = {
    "server_identity": "tells whether two URLs are one server",
    "sees_all_tenants": "tells whether the login is above the fence",
    "index_uses": "counts tenants by embedder",
    "all_tenants": "moves every tenant to another embedder",
    "count_tenants_by_cell": "counts tenants by cell",
}

# Statements outside the named queries, by file and text, each with its reason.
STATEMENTS = {
    ("db/cells.py", "b'begin'"): "begins a tenant's transaction",
    ("db/cells.py", "READ_TENANT"): "sets the tenant that the fence reads",
    ("db/cells.py", "WRITE_TENANT"): "sets it too, and waits while it is moved",
    ("db/cells.py", "HAS_WRITTEN"): "asks whether it changed anything",
    ("db/cells.py", "statement"): "ends it: commit or rollback",
}

# Queries that the code chooses from a list or a table of names, and passes by variable.
CHOSEN = {
    "all_memories", "count_completed", "drop_episodes", "drop_extractions", "drop_feedback",
    "drop_turn_terms",
    "drop_memories", "drop_memory_vectors", "drop_traces", "drop_turns", "find_term_counts",
    "read_mark", "readable_collections", "readable_of_draft", "scan_episodes", "scan_memories",
    "used_collections", "used_document_mb", "used_documents", "used_members", "used_profiles",
    "used_sources",
}  # fmt: skip

# Queries that are named after their table.
OF_PERSONAL_TABLES = {name for table in PERSONAL for name in table.queries}

# What the queries say ------------------------------------------------------------------------


def test_queries_say_what_they_are_for() -> None:
    unclear = [
        name
        for name, query in QUERIES.items()
        if not re.fullmatch(r"[A-Z].{4,}\.", query.description)
    ]
    assert unclear == []


def test_queries_take_values_by_name_alone() -> None:
    unnamed = [
        name
        for name, query in QUERIES.items()
        if "%" in re.sub(r"%\(\w+\)s|%%", "", query.text.decode())
    ]
    assert unnamed == []


def test_queries_keep_every_table_to_their_tenant() -> None:
    leaving = {
        name: tables
        for name, query in QUERIES.items()
        if name not in OF_OPERATORS and (tables := crossings(query))
    }
    assert leaving == {}


def test_the_queries_that_name_no_tenant_are_the_listed_ones() -> None:
    unscoped = {name for name in QUERIES if not names_tenant(QUERIES[name])}

    assert unscoped == OF_THE_CELL.keys() | OF_OPERATORS.keys()


CROSSING = {
    "select * from turn where turn_id = %(turn)s": ["turn"],
    "select * from turn where tenant_id = %(other)s": ["turn"],
    "select * from turn where number = 1 or tenant_id = %(tenant)s": ["turn"],
    "select * from turn t where tenant_id = %(tenant)s": ["turn"],
    "select * from saegim.turn": ["turn"],
    "update session set recorded = 0 where session_id = %(session)s": ["session"],
    "delete from session": ["session"],
    "delete from only session s where s.session_id = 1": ["session"],
    """select * from turn t join session s on s.session_id = t.session_id
    where t.tenant_id = %(tenant)s""": ["session"],
    "select * from turn t join session s on s.tenant_id = t.tenant_id": ["session", "turn"],
    """select (select name from member m where m.member_id = t.member_id) from turn t
    where t.tenant_id = %(tenant)s""": ["member"],
    "select * from turn, session where tenant_id = %(tenant)s": ["a list of tables"],
    "insert into turn (turn_id) values (%(turn)s)": ["turn"],
    "insert into turn (tenant_id, turn_id) values (%(turn)s, %(tenant)s)": ["turn"],
    """insert into turn (tenant_id) values (%(tenant)s)
    on conflict (turn_id) do nothing""": ["turn"],
    """with old as (select * from turn where number = 1)
    delete from session where tenant_id = %(tenant)s""": ["session", "turn"],
}


@pytest.mark.parametrize("statement", CROSSING)
def test_a_query_that_leaves_its_tenant_is_reported(statement: str) -> None:
    assert crossings(NamedQuery("try", "", statement.encode())) == CROSSING[statement]


# Where SQL stands ----------------------------------------------------------------------------


def test_statements_are_run_by_the_name_of_a_query() -> None:
    found = {(module.path, text) for module in modules() for text in module.statements}

    assert found == STATEMENTS.keys()


def test_sql_is_written_nowhere_else() -> None:
    files = {module.path for module in modules() if module.sql}

    assert files <= {path for path, _ in STATEMENTS}


def test_every_query_is_asked_for_by_name() -> None:
    """Finds misspelt names in the code, and unused queries."""
    written = {text for module in modules() for text in module.written}
    passed = {text for module in modules() for text in module.passed}
    asked = {name for module in modules() for name in module.asked}

    assert QUERIES.keys() - written - OF_PERSONAL_TABLES == set()
    assert QUERIES.keys() - passed - OF_PERSONAL_TABLES == CHOSEN
    assert (asked | OF_PERSONAL_TABLES) - QUERIES.keys() == set()


@pytest.mark.parametrize(
    "code",
    [
        "connection.execute(f'select * from turn where turn_id = {turn}')",
        "cursor.execute('select * from turn ' + where)",
        "cursor.execute('select * from turn where turn_id = %s' % turn)",
        "cursor.executemany('delete from {}'.format(table), rows)",
        "await connection.execute(statement)",
        "connection.execute(SQL('select {}').format(column))",
    ],
)
def test_a_statement_made_on_the_spot_is_reported(code: str) -> None:
    tree = ast.parse(f"async def ask():\n    {code}")

    assert len(list(statements(calls(tree)))) == 1


@pytest.mark.parametrize(
    "code",
    ["ALL = 'select * from turn'", "ask(f'delete from {table}')", "x = b'INSERT INTO turn (a)'"],
)
def test_sql_text_is_recognised(code: str) -> None:
    assert len(sql_texts(ast.parse(code))) == 1
