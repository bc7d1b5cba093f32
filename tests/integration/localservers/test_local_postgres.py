import os
import time
from pathlib import Path

import psycopg
import pytest

from saegim.locales import translate
from saegim.localservers.child_process import FolderInUse, LocalServerError
from saegim.localservers.postgres import LocalPostgres


@pytest.fixture
def used(used_folder: Path) -> Path:
    return used_folder / "postgres"


def write(server: LocalPostgres, text: str) -> None:
    with psycopg.connect(server.url()) as connection:
        connection.execute("create table if not exists note (text text)")
        connection.execute("insert into note values (%s)", (text,))


def read(server: LocalPostgres) -> list[str]:
    with psycopg.connect(server.url()) as connection:
        return [row[0] for row in connection.execute("select text from note order by text")]


def test_first_start_listens_on_no_address_and_is_durable(folder: Path) -> None:
    with LocalPostgres.start(folder) as server, psycopg.connect(server.url()) as connection:
        rows = connection.execute(
            "select current_setting(name) from unnest(array['listen_addresses', 'fsync',"
            " 'synchronous_commit', 'max_connections', 'server_encoding', 'TimeZone']) name"
        )
        assert [row[0] for row in rows] == ["", "on", "on", "200", "UTF8", "UTC"]
        connection.execute("create extension vector")


@pytest.mark.parametrize("durable", [True, False])
def test_data_survives_stop_and_sigkill_under_the_same_url(folder: Path, durable: bool) -> None:
    with LocalPostgres.start(folder, durable=durable) as server:
        write(server, "a")
        first_url = server.url()
    server = LocalPostgres.start(folder, durable=durable)
    write(server, "b")
    server.kill()
    assert not server.running
    with LocalPostgres.start(folder, durable=durable) as server:
        assert read(server) == ["a", "b"]
        assert server.url() == first_url


def test_second_start_in_a_live_folder_is_refused_at_once(used: Path) -> None:
    with LocalPostgres.start(used, durable=False) as server:
        begin = time.monotonic()
        with pytest.raises(FolderInUse) as refusal:
            LocalPostgres.start(used)
        assert time.monotonic() - begin < 60
        assert str(used) in refusal.value.detail
        assert translate(refusal.value.text, "ko") != refusal.value.text
        write(server, "still here")


def test_stop_cuts_clients_off_and_may_be_repeated(used: Path) -> None:
    server = LocalPostgres.start(used, durable=False)
    with psycopg.connect(server.url()) as connection:
        server.stop()
        with pytest.raises(psycopg.OperationalError):
            connection.execute("select 1")
    server.stop()
    assert not server.running


def test_stale_pid_file_of_another_living_process_does_not_stop_the_start(used: Path) -> None:
    server = LocalPostgres.start(used, durable=False)
    server.kill()
    pid_file = used / "data" / "postmaster.pid"
    lines = pid_file.read_bytes().splitlines()
    pid_file.write_bytes(b"\n".join([str(os.getpid()).encode(), *lines[1:]]))
    with LocalPostgres.start(used, durable=False) as server:
        assert server.running


def test_interrupted_initialisation_is_made_anew(folder: Path) -> None:
    (folder / "data.part").mkdir()
    (folder / "data.part" / "PG_VERSION").write_text("18")
    with LocalPostgres.start(folder, durable=False) as server:
        write(server, "a")


def test_folder_works_under_any_name_also_after_it_moved(folder: Path) -> None:
    place = folder / "first"
    place.mkdir()
    for name in ("새김 데이터 folder", "long" * 30, 'comma, "quote" and 100%'):
        place = place.rename(folder / name)
        with LocalPostgres.start(place, durable=False) as server:
            write(server, name)
            url = server.url()
        with LocalPostgres.start(place, durable=False) as server:
            assert name in read(server)
            assert server.url() == url


def test_failed_start_shows_the_log_and_leaves_the_folder_usable(used: Path) -> None:
    with pytest.raises(LocalServerError, match="no_such_setting"):
        LocalPostgres.start(used, {"no_such_setting": "1"}, durable=False)
    server = LocalPostgres.start(used, {"work_mem": "7MB"}, durable=False)
    with server, psycopg.connect(server.url()) as connection:
        assert connection.execute("show work_mem").fetchone() == ("7MB",)


def test_log_never_holds_what_a_statement_said(used: Path) -> None:
    secret = "비밀 문장"
    with LocalPostgres.start(used, durable=False) as server:
        write(server, secret)
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute("create unique index on note (text)")
            with pytest.raises(psycopg.errors.UniqueViolation):
                connection.execute("insert into note values (%s)", (secret,))
            with pytest.raises(psycopg.errors.InvalidTextRepresentation):
                connection.execute("select %s::uuid", (secret,))
            with pytest.raises(psycopg.errors.SyntaxError):
                connection.execute(f"selekt '{secret}'")
    log = (used / "server.log").read_text("utf-8")
    assert "ready to accept connections" in log
    assert secret not in log
