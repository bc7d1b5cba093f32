"""The initial schema, one SQL file per feature in `../initial`.

Every table belongs to tenants and gets row-level security, unless SHARED_TABLES names it.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from alembic import op
from procrastinate.schema import SchemaManager
from psycopg import Connection

from saegim.db.migrations.tenant_tables import enable_row_security, partition

revision = "0001"
down_revision = None

FOLDER = Path(__file__).parents[1] / "initial"
FEATURES = (
    "tenants",
    "assistants",
    "auth",
    "quotas",
    "index_state",
    "conversations",
    "usage",
    "library",
    "ingest",
    "sources",
    "memory",
    "episodes",
    "audit",
    "webhooks",
    "community",
    "jobs",
)
# Without tenant data: counts of indexes by embedder, and errors of jobs.
SHARED_TABLES = frozenset({"embedder_use", "job_failure"})
_TABLE = re.compile(r"^create table (?P<name>\w+) \(", re.MULTILINE)


def upgrade() -> None:
    connection = op.get_bind().connection.driver_connection
    assert isinstance(connection, Connection)
    # Our tables refer to Procrastinate's.
    connection.execute(SchemaManager.get_schema().encode())
    for feature in FEATURES:
        for statement in _statements((FOLDER / f"{feature}.sql").read_text("utf-8")):
            connection.execute(statement.encode())
            for protection in _protections(statement):
                connection.execute(protection.encode())


def _statements(text: str) -> Iterator[str]:
    """Splits a file into statements; a semicolon within $$ does not end one."""
    lines: list[str] = []
    for line in text.splitlines():
        lines.append(line)
        if line.endswith(";") and "\n".join(lines).count("$$") % 2 == 0:
            yield "\n".join(lines)
            lines = []


def _protections(statement: str) -> list[str]:
    found = _TABLE.search(statement)
    if found is None or found["name"] in SHARED_TABLES:
        return []
    if "partition by hash" in statement:
        return partition(found["name"])
    return enable_row_security(found["name"])
