"""How a child confines itself before it reads a stranger's file.

Resources are bounded by the kernel where it can; where it cannot bound memory (macOS), a thread
watches. After its parser is loaded the child also gives up writing files and the network.
"""

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Literal

from saegim.adapters.parsers.limits import Limits
from saegim.adapters.parsers.wire import OUT_OF_MEMORY

type Fence = Literal["kernel", "watcher"]

FENCE: Fence = "kernel" if sys.platform == "linux" else "watcher"
_OPEN_FILES = 64
_LOOK_SECONDS = 0.02
# The parent stops the child in time; this is for a child that has lost its parent.
_ORPHAN_SECONDS = 10


def bound(limits: Limits, fence: Fence) -> None:
    """Bounds memory, processor time, open files and life; no core dumps."""
    if sys.platform == "win32":
        _watch(limits.memory_bytes)
        return
    import resource  # noqa: PLC0415  there is none on Windows

    if fence == "kernel":
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
    else:
        _watch(limits.memory_bytes)
    cpu = limits.cpu_seconds
    for kind, most in (
        (resource.RLIMIT_CPU, cpu),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
    ):
        # The hard limit kills where the soft one's signal would be caught.
        hard = most + 1 if kind == resource.RLIMIT_CPU else most
        with suppress(ValueError):  # somebody else set a lower one
            resource.setrlimit(kind, (most, hard))
    signal.alarm(int(limits.wall_seconds) + _ORPHAN_SECONDS)


def seal() -> None:
    """Gives up what no parser needs: writing files and the network."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415  there is none on Windows

    with suppress(ValueError):
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    # Own name spaces: no network, and no power over files or processes of others, root or not.
    # A container may forbid it; then the container is the fence.
    if sys.platform == "linux":
        with suppress(OSError):
            os.unshare(os.CLONE_NEWUSER | os.CLONE_NEWNET | os.CLONE_NEWIPC)


def _watch(most: int) -> None:
    def look() -> None:
        while resident() <= most:
            time.sleep(_LOOK_SECONDS)
        os._exit(OUT_OF_MEMORY)

    threading.Thread(target=look, daemon=True).start()


def resident() -> int:
    """The bytes of memory in use, or the most ever where only that is told."""
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        return pages * os.sysconf("SC_PAGESIZE")
    if sys.platform == "win32":
        return 0
    import resource  # noqa: PLC0415  there is none on Windows

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
