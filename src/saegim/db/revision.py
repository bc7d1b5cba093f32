"""Which schema this release is built for and which a database has.

Apart from `migrate`, because every process asks and few migrate: its machinery takes a second to
import.
"""

import re
from importlib.resources import files

import psycopg
from psycopg.errors import InvalidSchemaName, OperationalError, UndefinedTable

from saegim.db.pool import query

_FILE = re.compile(r"r(?P<revision>\d{4})_\w+\.py")


def newest_revision() -> str:
    """The revision this release was built for."""
    versions = files(__package__).joinpath("migrations", "versions")
    found = (_FILE.fullmatch(file.name) for file in versions.iterdir())
    return max(match["revision"] for match in found if match)


def stored_revision(url: str) -> str | None:
    """The revision a database is at; None where it, or the schema, is not there yet."""
    try:
        with psycopg.connect(url) as connection:
            row = connection.execute(query("stored_revision")).fetchone()
    except (OperationalError, InvalidSchemaName, UndefinedTable):
        return None
    return None if row is None else str(row[0])
