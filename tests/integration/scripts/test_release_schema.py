import psycopg

from saegim.db.migrate import ensure_database
from saegim.db.revision import stored_revision
from saegim.localservers.servers import LocalServers
from scripts.release import dump_schema


def test_kept_schema_loads_at_its_revision_and_is_the_same_every_time(
    servers: LocalServers,
) -> None:
    postgres = servers.postgres
    first, second = (dump_schema(postgres, name, "Schema") for name in ("kept_a", "kept_b"))
    assert first == second
    ensure_database(postgres.url(), "kept_loaded")
    with psycopg.connect(postgres.url("kept_loaded")) as connection:
        connection.execute(first.encode())
    assert stored_revision(postgres.url("kept_loaded")) == stored_revision(postgres.url("kept_a"))
