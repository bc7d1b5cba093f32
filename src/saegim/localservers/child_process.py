"""Servers as child processes: they exit with this process, and each folder runs one at a time.

Blocking code: runs before or after the event loop, or in a thread.
"""

import fcntl
import os
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar, Literal, Self

from saegim.domain.errors import SaegimError
from saegim.locales import N_


class LocalServerError(SaegimError):
    """A local server did not start or stop; the detail has its last log lines."""

    code = "local_server_error"
    text: ClassVar[str] = N_("Could not run the local server.")


class FolderInUse(LocalServerError):
    code = "folder_in_use"
    text: ClassVar[str] = N_(
        "Another server is using this data folder. Stop it first, or choose another folder."
    )


class NotInstalled(LocalServerError):
    code = "local_server_not_installed"
    text: ClassVar[str] = N_(
        "The local servers are not installed. Install `saegim[local]`, or set "
        "SAEGIM_POSTGRES_URL and SAEGIM_REDIS_URL to use external servers."
    )


type Tie = Literal["kernel", "watcher"]

LAUNCHER = Path(__file__).with_name("launch.py")
TIE: Tie = "kernel" if sys.platform == "linux" else "watcher"
POLL_SECONDS = 0.02
ORPHAN_SECONDS = 1.0
LOG_LINES_SHOWN = 12


def wait_for(condition: Callable[[], bool], seconds: float) -> bool:
    """Poll until the condition holds; return False after a timeout."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


def last_lines(log: Path) -> str:
    if not log.exists():
        return ""
    return "\n".join(log.read_text("utf-8", "replace").splitlines()[-LOG_LINES_SHOWN:])


def _lock(path: Path, seconds: float) -> int | None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

    def acquired() -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    if wait_for(acquired, seconds):
        return descriptor
    os.close(descriptor)
    return None


def _holders(path: Path) -> Iterator[int]:
    """Yield the processes that have the file open, on Linux."""
    for descriptor in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):  # the process exited or closed the file
            if descriptor.readlink() == path:
                yield int(descriptor.parts[2])


class FolderClaim:
    """The exclusive right to run a server in a folder, by two file locks.

    This process holds `owner.lock`, so a second owner is refused at once. The server and its
    children inherit `server.lock`, so it is released when the last of them exits, also if their
    owner died.
    """

    def __init__(self, folder: Path, timeout: float) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._server_lock = folder / "server.lock"
        owner = _lock(folder / "owner.lock", 0)
        if owner is None:
            raise FolderInUse(f"another server is running in {folder}")
        self._owner: int | None = owner
        server = _lock(self._server_lock, timeout)
        if server is None:
            self._disown()
            raise FolderInUse(f"a server that lost its owner is still ending in {folder}")
        self._server: int | None = server

    @property
    def inherited(self) -> int:
        """The descriptor that the server inherits."""
        if self._server is None:
            raise LocalServerError("the folder was already handed to a server")
        return self._server

    @property
    def is_owned(self) -> bool:
        return self._owner is not None

    def hand_over(self) -> None:
        """Leave the server lock to the server and its children."""
        if self._server is not None:
            os.close(self._server)
            self._server = None

    def release(self, timeout: float) -> None:
        """Release the folder once the last process of the server has exited.

        Kills children of a killed server that do not exit by themselves.
        """
        self.hand_over()
        server = _lock(self._server_lock, min(timeout, ORPHAN_SECONDS))
        if server is None:
            for pid in _holders(self._server_lock):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            server = _lock(self._server_lock, timeout)
        if server is None:
            raise LocalServerError(f"processes are left in {self._server_lock.parent}")
        os.close(server)
        self._disown()

    def _disown(self) -> None:
        if self._owner is not None:
            os.close(self._owner)
            self._owner = None


@dataclass(frozen=True, slots=True)
class SystemAccount:
    """The system user a server runs as."""

    user: int
    group: int

    @staticmethod
    def ours() -> "SystemAccount":
        return SystemAccount(os.getuid(), os.getgid())


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start a server, and the signal it gets when this process dies."""

    command: Sequence[str]
    folder: Path
    log: Path
    account: SystemAccount
    death_signal: signal.Signals
    tie: Tie = TIE


@cache
def _lifelong_thread(process: int) -> ThreadPoolExecutor:  # noqa: ARG001  one per process: a fork has no threads
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="local-servers")


def spawn(launch: Launch, claim: FolderClaim) -> subprocess.Popen[bytes]:
    """Start it in its own session, so that Ctrl-C in the terminal does not reach it."""
    parent = os.getpid()
    tie = (parent, int(launch.death_signal), launch.account.user, launch.account.group, launch.tie)
    command = [sys.executable, "-I", "-S", str(LAUNCHER), *map(str, tie), *launch.command]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PG")}

    def start() -> subprocess.Popen[bytes]:
        with launch.log.open("ab") as log:
            return subprocess.Popen(  # noqa: S603  no shell; the command is ours
                command,
                cwd=launch.folder,
                env=environment | {"LC_ALL": "C"},
                pass_fds=(claim.inherited,),
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    # The kernel sends the death signal when the *thread* that started the child exits.
    return _lifelong_thread(parent).submit(start).result()


class ServerProcess:
    """A running server and the claim of its folder."""

    def __init__(self, launch: Launch, claim: FolderClaim) -> None:
        self._launch = launch
        self._claim = claim
        self._process = spawn(launch, claim)
        claim.hand_over()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def wait_until_ready(self, ready: Callable[[], bool], timeout: float) -> None:
        """Return when the server is ready; kill it and raise after the timeout."""
        became_ready = False

        def decided() -> bool:
            nonlocal became_ready
            became_ready = self.running and ready()
            return became_ready or not self.running

        wait_for(decided, timeout)
        if became_ready:
            return
        reason = "did not become ready in time" if self.running else "ended while starting"
        self.end(signal.SIGKILL, timeout)
        raise LocalServerError(
            f"{self._launch.command[0]} {reason}\n{last_lines(self._launch.log)}"
        )

    def end(self, how: signal.Signals, timeout: float) -> None:
        """Send a signal, wait until it and its children exit, and release the folder."""
        if not self._claim.is_owned:
            return
        if self.running:
            self._process.send_signal(how)
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._claim.release(timeout)


class LocalServer(ABC):
    """A running server, a child of this process. Use as a context manager."""

    def __init__(self, process: ServerProcess, stop_seconds: float) -> None:
        self._process = process
        self._stop_seconds = stop_seconds

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.running

    @abstractmethod
    def stop(self) -> None:
        """Stop the server. Idempotent."""

    def kill(self) -> None:
        """Send SIGKILL, like a crash; returns when its children have exited, too."""
        self._process.end(signal.SIGKILL, self._stop_seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()
