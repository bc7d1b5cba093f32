"""Schema revisions. Separate from `migrate`, which takes a second to import."""

import re
from importlib.resources import files

import psycopg
from psycopg.errors import InvalidSchemaName, OperationalError, UndefinedTable

from saegim.db.pool import query

_FILE = re.compile(r"r(?P<revision>\d{4})_\w+\.py")


def newest_revision() -> str:
    """Returns the revision of this release."""
    versions = files(__package__).joinpath("migrations", "versions")
    matches = (_FILE.fullmatch(file.name) for file in versions.iterdir())
    return max(match["revision"] for match in matches if match)


def stored_revision(url: str) -> str | None:
    """Returns the revision of a database; None without a database or schema."""
    try:
        with psycopg.connect(url) as connection:
            row = connection.execute(query("stored_revision")).fetchone()
    except (OperationalError, InvalidSchemaName, UndefinedTable):
        return None
    return None if row is None else str(row[0])
