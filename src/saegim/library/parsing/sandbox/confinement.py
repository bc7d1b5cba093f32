"""Confine the parser process before it reads an untrusted file.

The kernel limits resources; where it cannot limit memory (macOS), a thread watches. Once its parser
is loaded, the process gives up files, the network and other processes: by namespaces where it may
create them, and by Landlock and a seccomp filter, which containers allow.
"""

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Literal

from saegim.library.parsing.limits import ParseLimits
from saegim.library.parsing.sandbox import linux, seccomp
from saegim.library.parsing.sandbox.linux import syscall
from saegim.library.parsing.sandbox.wire import OUT_OF_MEMORY

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_GET_VERSION = 1
_BENEATH_PATH = 1
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
# The highest file access right of each Landlock version.
_FILE_BITS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_NETWORK_FROM, _TCP = 4, 0b11
_SCOPES_FROM, _SOCKETS_AND_SIGNALS = 6, 0b11


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scopes", ctypes.c_uint64),
    )


class _PathRule(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("access", ctypes.c_uint64), ("folder", ctypes.c_int32))


def apply_landlock(readable: Iterable[Path]) -> None:
    """Allow reading below these paths; refuse other files, TCP, and signals to other processes, as
    far as the kernel's Landlock supports it. Raises OSError without Landlock."""
    version = syscall(_CREATE_RULESET, None, 0, _GET_VERSION)
    files = (1 << _FILE_BITS[min(version, max(_FILE_BITS))]) - 1
    network = _TCP if version >= _NETWORK_FROM else 0
    scopes = _SOCKETS_AND_SIGNALS if version >= _SCOPES_FROM else 0
    ruleset = _Ruleset(files, network, scopes)
    # An older kernel accepts only the size that it knows.
    size = 24 if scopes else 16 if network else 8
    rules = syscall(_CREATE_RULESET, ctypes.byref(ruleset), size, 0)
    try:
        for path in readable:
            with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
                _allow(rules, path)
        syscall(_RESTRICT_SELF, rules, 0)
    finally:
        os.close(rules)


def _allow(rules: int, path: Path) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        access = _READ_FILE | _READ_DIR if path.is_dir() else _READ_FILE
        rule = _PathRule(access, descriptor)
        syscall(_ADD_RULE, rules, _BENEATH_PATH, ctypes.byref(rule), 0)
    finally:
        os.close(descriptor)


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
    apply_landlock(Path(each) for each in (*prefixes, *sys.path, *_SYSTEM_FILES) if each)


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
