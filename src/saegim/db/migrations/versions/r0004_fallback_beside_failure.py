"""A turn that rules extracted may keep the failed output of the model."""

from alembic import op
from psycopg import Connection

revision = "0004"
down_revision = "0003"

CHECK = """
alter table extraction
    drop constraint extraction_check,
    add constraint extraction_check check (origin is not null or error is not null)
"""


def upgrade() -> None:
    connection = op.get_bind().connection.driver_connection
    assert isinstance(connection, Connection)
    connection.execute(CHECK.encode())
