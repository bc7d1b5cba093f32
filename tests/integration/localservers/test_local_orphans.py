"""Servers end with their owner, whatever way it ends. Looks into /proc, so Linux only."""

import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from saegim.localservers.child_process import wait_for
from saegim.localservers.postgres import LocalPostgres
from saegim.localservers.servers import LocalServers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

OWNER = """
import sys, threading, time
from pathlib import Path
from saegim.localservers.servers import LocalServers

started = []

def start():
    started.append(LocalServers.start(Path(sys.argv[1]), durable=False))

thread = threading.Thread(target=start)
thread.start()
thread.join()
print(started[0].postgres.pid, started[0].valkey.pid, flush=True)
if sys.argv[2] == "return":
    sys.exit()
time.sleep(600)
"""

WATCHED = """
import os, signal, sys, time
from pathlib import Path
from saegim.localservers.child_process import FolderClaim, Launch, ServerProcess, SystemAccount

folder = Path(sys.argv[1])
launch = Launch(
    ["/bin/sleep", "600"], folder, folder / "log", SystemAccount.ours(), signal.SIGTERM, "watcher"
)
print(ServerProcess(launch, FolderClaim(folder, 1)).pid, flush=True)
time.sleep(600)
"""


def is_gone(pid: int) -> bool:
    """No such process, or only its exit status is left for a parent that does not ask."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True
    return stat.rpartition(")")[2].split()[0] == "Z"


def descendants(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(found for child in children for found in descendants(int(child)))]


def own(folder: Path, script: str, *arguments: str) -> tuple[subprocess.Popen[str], list[int]]:
    command = [sys.executable, "-c", script, str(folder), *arguments]
    owner = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert owner.stdout
    return owner, [int(pid) for pid in owner.stdout.readline().split()]


def end(owner: subprocess.Popen[str], how: signal.Signals) -> None:
    owner.send_signal(how)
    owner.communicate()


def test_owner_killed_by_sigkill_leaves_no_orphan_and_the_folder_starts_again(
    used_folder: Path,
) -> None:
    owner, servers = own(used_folder, OWNER, "stay")
    processes = [process for pid in servers for process in descendants(pid)]
    assert len(processes) > 5
    end(owner, signal.SIGKILL)
    with LocalServers.start(used_folder, durable=False) as again:
        assert again.postgres.pid not in processes
        assert all(is_gone(pid) for pid in processes)


def test_servers_outlive_the_thread_that_started_them(used_folder: Path) -> None:
    owner, servers = own(used_folder, OWNER, "stay")
    time.sleep(0.5)
    assert not any(is_gone(pid) for pid in servers)
    end(owner, signal.SIGTERM)
    assert wait_for(lambda: all(is_gone(pid) for pid in servers), 60)


def test_owner_that_returns_without_stopping_them_leaves_no_orphan(used_folder: Path) -> None:
    owner, servers = own(used_folder, OWNER, "return")
    owner.communicate()
    assert wait_for(lambda: all(is_gone(pid) for pid in servers), 60)


def test_ctrl_c_in_the_terminal_reaches_the_owner_only(used_folder: Path) -> None:
    with LocalServers.start(used_folder, durable=False) as running:
        for pid in (running.postgres.pid, running.valkey.pid):
            session = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[3]
            assert session == str(pid)


def test_watcher_stands_in_where_the_kernel_sends_no_death_signal(folder: Path) -> None:
    owner, (server,) = own(folder, WATCHED)
    assert not is_gone(server)
    end(owner, signal.SIGKILL)
    assert wait_for(lambda: is_gone(server), 60)


def test_kill_takes_the_sessions_that_still_compute_with_it(used_folder: Path) -> None:
    server = LocalPostgres.start(used_folder / "postgres", durable=False)
    with closing(psycopg.connect(server.url(), autocommit=True)) as busy:
        session = busy.info.backend_pid
        busy.pgconn.send_query(b"select count(*) from generate_series(1, 100000000000)")
        time.sleep(0.2)
        server.kill()
        assert wait_for(lambda: is_gone(session), 60)
    LocalPostgres.start(used_folder / "postgres", durable=False).stop()
