"""A network namespace for the API, and small disks, to break with the help of the kernel.

Both need root. Without it, partitions and full disks are left out, and the figures say so.
"""

import contextlib
import errno
import os
import subprocess
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

# A hardware address that does not exist, so packets to it are dropped.
NOBODY = "02:00:00:00:00:99"
PIECE = 1 << 20

type Store = Literal["postgres", "valkey"]


def may_break_ground() -> bool:
    """Whether this process may create namespaces and mounts."""
    return os.geteuid() == 0 and Path("/usr/sbin/ip").exists()


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)


@dataclass(frozen=True, slots=True)
class Network:
    """A network namespace for the API, connected to ours; each store has its own address there."""

    name: str
    prefix: str

    @classmethod
    @contextlib.contextmanager
    def made(cls) -> Generator[Self]:
        """Creates a network, and removes it at the end."""
        pid = os.getpid()
        # Names contain the process id, so that concurrent runs do not collide.
        network = cls(f"sg{pid}", f"10.{200 + pid // 256 % 50}.{pid % 256}")
        network._make()
        try:
            yield network
        finally:
            _run("ip", "netns", "del", network.name)

    @property
    def ours(self) -> str:
        """Configures our end: the model provider's address, and that of the clients."""
        return f"{self.prefix}.1"

    @property
    def api(self) -> str:
        return f"{self.prefix}.10"

    @property
    def net(self) -> str:
        return f"{self.prefix}.0/24"

    @property
    def inside(self) -> Sequence[str]:
        """Returns the command prefix that enters the namespace; it keeps the process id."""
        return ("ip", "netns", "exec", self.name)

    def store(self, store: Store) -> str:
        return f"{self.prefix}.{2 if store == 'postgres' else 3}"

    def cut(self, store: Store) -> None:
        """Drops the API's packets to a store."""
        place = (self.store(store), "lladdr", NOBODY, "dev", self._inner, "nud", "permanent")
        _run("ip", "-n", self.name, "neigh", "replace", *place)

    def mend(self, store: Store) -> None:
        _run("ip", "-n", self.name, "neigh", "del", self.store(store), "dev", self._inner)

    @property
    def _outer(self) -> str:
        return f"{self.name}a"

    @property
    def _inner(self) -> str:
        return f"{self.name}b"

    def _make(self) -> None:
        _run("ip", "netns", "add", self.name)
        _run("ip", "link", "add", self._outer, "type", "veth", "peer", "name", self._inner)
        _run("ip", "link", "set", self._inner, "netns", self.name)
        for address in (self.ours, self.store("postgres"), self.store("valkey")):
            _run("ip", "addr", "add", f"{address}/24", "dev", self._outer)
        _run("ip", "link", "set", self._outer, "up")
        inside = ("ip", "-n", self.name)
        _run(*inside, "addr", "add", f"{self.api}/24", "dev", self._inner)
        for link in (self._inner, "lo"):
            _run(*inside, "link", "set", link, "up")


@dataclass(frozen=True, slots=True)
class Disk:
    """A small disk in memory that can be filled completely."""

    folder: Path

    @classmethod
    @contextlib.contextmanager
    def mounted(cls, folder: Path, megabytes: int) -> Generator[Self]:
        """Mounts a disk at the folder, and unmounts it at the end."""
        folder.mkdir(parents=True, exist_ok=True)
        _run("mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0755", "none", str(folder))
        try:
            yield cls(folder)
        finally:
            _run("umount", "-l", str(folder))

    @property
    def _ballast(self) -> Path:
        return self.folder / "ballast"

    def fill(self) -> None:
        """Fills the disk."""
        with self._ballast.open("wb", buffering=0) as file:
            for size in (PIECE, 4096):
                with contextlib.suppress(_Full):
                    while True:
                        _write(file.fileno(), bytes(size))

    def empty(self) -> None:
        """Frees the disk."""
        self._ballast.unlink(missing_ok=True)


class _Full(Exception):
    """The disk is full."""


def _write(descriptor: int, piece: bytes) -> None:
    try:
        if os.write(descriptor, piece) < len(piece):
            raise _Full
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise _Full from error
        raise
