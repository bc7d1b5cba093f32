"""Confine the parser process before it reads an untrusted file.

The kernel limits resources; where it cannot limit memory (macOS), a thread watches. Once its parser
is loaded, the process gives up files, the network and other processes: by namespaces where it may
create them, and by Landlock and a seccomp filter, which containers allow.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal

from saegim.library.parsing.limits import ParseLimits
from saegim.library.parsing.sandbox import landlock, linux, seccomp
from saegim.library.parsing.sandbox.wire import OUT_OF_MEMORY

type Fence = Literal["kernel", "watcher"]

FENCE: Fence = "kernel" if sys.platform == "linux" else "watcher"
_OPEN_FILES = 64
# Files that libraries open on first use.
_SYSTEM_FILES = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo"),
    *("/usr/share/tesseract-ocr", "/usr/share/tessdata"),
    *("/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom"),
)
_POLL_SECONDS = 0.02
# The parent stops the child in time; this is for an orphan.
_ORPHAN_SECONDS = 10


def bound(limits: ParseLimits, fence: Fence) -> None:
    """Limit memory, CPU time, open files and lifetime; disable core dumps."""
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
        # The hard limit kills even if the soft one's signal is caught.
        hard = most + 1 if kind == resource.RLIMIT_CPU else most
        with suppress(ValueError):  # a lower limit is already set
            resource.setrlimit(kind, (most, hard))
    signal.alarm(int(limits.wall_seconds) + _ORPHAN_SECONDS)


def seal() -> frozenset[str]:
    """Give up writing, the network, other processes, and files other than Python's.

    Returns the names of the restrictions that the system allowed."""
    if sys.platform == "win32":
        return frozenset()
    import resource  # noqa: PLC0415  there is none on Windows

    with suppress(ValueError):
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    if sys.platform != "linux":
        return frozenset({"writing"})
    active = {"writing"}
    # Independent of each other: containers refuse some, old kernels others.
    for name, fence in _FENCES.items():
        with suppress(OSError, AttributeError):
            fence()
            active.add(name)
    return frozenset(active)


def _leave_namespaces() -> None:
    """Enter new namespaces: no network, no access to other processes."""
    os.unshare(os.CLONE_NEWUSER | os.CLONE_NEWNET | os.CLONE_NEWIPC)


def _read_only_python() -> None:
    prefixes = (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix)
    landlock.restrict(Path(each) for each in (*prefixes, *sys.path, *_SYSTEM_FILES) if each)


# seccomp last: it refuses calls that the others need.
_FENCES: dict[str, Callable[[], None]] = {
    "privileges": linux.forbid_new_privileges,
    "namespaces": _leave_namespaces,
    "capabilities": lambda: linux.drop_capabilities(seccomp.here().calls["capset"]),
    "landlock": _read_only_python,
    "seccomp": lambda: seccomp.forbid_reaching_out(seccomp.here()),
}


def _watch(most: int) -> None:
    def check() -> None:
        while resident() <= most:
            time.sleep(_POLL_SECONDS)
        os._exit(OUT_OF_MEMORY)

    threading.Thread(target=check, daemon=True).start()


def resident() -> int:
    """Return the resident memory, or its maximum where only that is known."""
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        return pages * os.sysconf("SC_PAGESIZE")
    if sys.platform == "win32":
        return 0
    import resource  # noqa: PLC0415  there is none on Windows

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
