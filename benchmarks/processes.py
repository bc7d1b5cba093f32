"""Read processor time and memory of processes and their children from /proc."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PROC = Path("/proc")
# Fields of /proc/PID/stat after the name: parent; user and system time, own and of ended children.
PARENT, TIMES = 1, slice(11, 15)


def parents_of_all() -> dict[int, int]:
    """Maps every process to its parent."""
    return {pid: int(stat[PARENT]) for pid, stat in _stats()}


def family(roots: Collection[int], parents: Mapping[int, int] | None = None) -> set[int]:
    """Returns these processes and all their descendants."""
    parents = parents_of_all() if parents is None else parents
    found = set(roots)
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found & parents.keys()


def cpu_seconds(roots: Collection[int]) -> float:
    """Returns the processor time of these processes and their children, ended ones included."""
    pids = family(roots)
    stats = dict(_stats())
    return sum(sum(map(int, stats[pid][TIMES])) for pid in pids if pid in stats) / TICKS


def pss_bytes(roots: Collection[int], parents: Mapping[int, int] | None = None) -> int:
    """Returns the memory of these processes and their children; shared memory counts once."""
    return sum(_pss(pid) for pid in family(roots, parents))


@dataclass
class Peak:
    """The maximum memory and the number of samples."""

    most: int = 0
    looks: int = 0
    last: dict[str, int] = field(default_factory=dict[str, int])


@contextlib.asynccontextmanager
async def watched(roots: dict[str, int], seconds: float = 0.1) -> AsyncIterator[Peak]:
    """Samples the memory of named processes from a thread."""
    peak = Peak()

    def look() -> None:
        parents = parents_of_all()
        each = {name: pss_bytes([pid], parents) for name, pid in roots.items()}
        peak.looks += 1
        if sum(each.values()) > peak.most:
            peak.most, peak.last = sum(each.values()), each

    async def watch() -> None:
        while True:
            await asyncio.to_thread(look)
            await asyncio.sleep(seconds)

    task = asyncio.create_task(watch())
    try:
        yield peak
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def disk_bytes(folder: Path) -> int:
    """Returns the size of a folder on disk."""
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            total += path.lstat().st_blocks * 512
    return total


def _stats() -> Iterator[tuple[int, list[str]]]:
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                yield int(entry.name), (entry / "stat").read_text().rpartition(")")[2].split()


def _pss(pid: int) -> int:
    with contextlib.suppress(OSError):
        for line in (PROC / str(pid) / "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0
