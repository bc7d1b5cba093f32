from pathlib import Path

import psycopg
import pytest
import redis

from saegim.localservers.child_process import FolderInUse
from saegim.localservers.servers import LocalServers
from saegim.localservers.valkey import LocalValkey


def test_both_servers_answer(servers: LocalServers) -> None:
    with psycopg.connect(servers.postgres.url()) as connection:
        assert connection.execute("select 1").fetchone() == (1,)
    with redis.Redis.from_url(servers.valkey.url) as client:
        assert client.ping()


def test_when_one_cannot_start_the_other_is_not_left_running(folder: Path) -> None:
    with LocalValkey.start(folder / "valkey"), pytest.raises(FolderInUse):
        LocalServers.start(folder, durable=False)
    with LocalServers.start(folder, durable=False) as both:
        assert both.postgres.running
    assert not both.postgres.running
    assert not both.valkey.running
