import time
from pathlib import Path

import pytest
import redis

from saegim.localservers.child_process import FolderInUse, LocalServerError
from saegim.localservers.valkey import LocalValkey


def test_data_survives_stop_and_sigkill_on_the_same_port(folder: Path) -> None:
    with LocalValkey.start(folder) as server, redis.Redis.from_url(server.url) as client:
        client.set("a", "하나")
    server = LocalValkey.start(folder, port=server.port)
    with redis.Redis.from_url(server.url) as client:
        client.set("b", "둘")
        server.kill()
    assert not server.running
    with (
        LocalValkey.start(folder, port=server.port) as again,
        redis.Redis.from_url(again.url, decode_responses=True) as client,
    ):
        assert again.port == server.port
        assert client.mget("a", "b") == ["하나", "둘"]


def test_second_start_in_a_live_folder_is_refused_at_once(folder: Path) -> None:
    with LocalValkey.start(folder) as server:
        begin = time.monotonic()
        with pytest.raises(FolderInUse):
            LocalValkey.start(folder)
        assert time.monotonic() - begin < 60
        assert server.running


def test_failed_start_shows_the_log_and_leaves_the_folder_usable(folder: Path) -> None:
    with pytest.raises(LocalServerError, match="no-such-setting"):
        LocalValkey.start(folder, settings={"no-such-setting": "1"})
    server = LocalValkey.start(folder, settings={"maxmemory": "50mb"})
    with server, redis.Redis.from_url(server.url, decode_responses=True) as client:
        assert client.config_get("maxmemory") == {"maxmemory": str(50 * 1024 * 1024)}


def test_the_server_of_somebody_else_is_not_taken_for_ours(folder: Path) -> None:
    with (
        LocalValkey.start(folder / "theirs") as theirs,
        pytest.raises(LocalServerError, match="ended while starting"),
    ):
        LocalValkey.start(folder / "ours", port=theirs.port)


@pytest.mark.parametrize("name", ["새김 데이터 folder", "long" * 60], ids=["korean", "long"])
def test_folder_of_any_name_works_and_is_the_only_place_written(folder: Path, name: str) -> None:
    with LocalValkey.start(folder / name) as server, redis.Redis.from_url(server.url) as client:
        client.set("a", "1")
    assert list((folder / name).rglob("*.aof"))
    assert [entry.name for entry in folder.iterdir()] == [name]


def test_listens_on_loopback_only_and_stop_may_be_repeated(folder: Path) -> None:
    server = LocalValkey.start(folder)
    with server, redis.Redis.from_url(server.url, decode_responses=True) as client:
        assert client.config_get("bind") == {"bind": "127.0.0.1"}
    server.stop()
    assert not server.running
