"""Imitates a worker in a container: with Docker's default seccomp filter, and a hostile parser.

Run as a program. Prints what a parser reached, as JSON.
"""

import asyncio
import ctypes
import errno
import json
import os
import resource  # noqa: F401  loaded while we may still read it
import socket
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from saegim.library.parsing.sandbox import linux, probe, seccomp
from saegim.library.parsing.sandbox.confinement import seal
from saegim.library.parsing.sandbox.parser import SandboxedParser

# What Docker's default profile refuses to a process without capabilities, of what matters here.
DOCKER_REFUSES = (
    *("unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree"),
    *("fsopen", "fsmount", "fsconfig", "fspick", "mount_setattr", "bpf", "perf_event_open"),
    *("userfaultfd", "add_key", "request_key", "keyctl", "open_by_handle_at"),
)
# Attaches without stopping.
SEIZE = 0x4206
LANDLOCK = (444, 445, 446)


def enter_container(*, landlock: bool) -> None:
    machine = seccomp.here()
    linux.forbid_new_privileges()
    rules = seccomp.SeccompFilter(machine)
    rules.refuse(machine.calls[name] for name in DOCKER_REFUSES)
    rules.refuse([machine.calls["clone3"]], errno.ENOSYS)
    if not landlock:
        rules.refuse(LANDLOCK, errno.ENOSYS)
    rules.install()


def read_memory(pid: int) -> None:
    machine = seccomp.here()
    buffer = ctypes.create_string_buffer(8)
    local = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), 8)
    linux.syscall(
        machine.calls["process_vm_readv"],
        *(pid, ctypes.byref(local), 1, ctypes.byref(local), 1, 0),
    )


def attach(pid: int) -> None:
    machine = seccomp.here()
    linux.syscall(machine.calls["ptrace"], SEIZE, pid, 0, 0)


def fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def hostile(parent: int) -> dict[str, bool]:
    """Which attempts succeed for parser code that an attacker controls."""
    seal()
    attempts: dict[str, Callable[[], object]] = {
        "environment": Path(f"/proc/{parent}/environ").read_bytes,
        "memory file": lambda: Path(f"/proc/{parent}/mem").open("rb").close(),
        "memory call": lambda: read_memory(parent),
        "attach": lambda: attach(parent),
        "signal": lambda: os.kill(parent, 0),
        "inet": lambda: socket.socket(socket.AF_INET),
        "inet6": lambda: socket.socket(socket.AF_INET6),
        "unix": lambda: socket.socket(socket.AF_UNIX),
        "netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
        "fork": fork,
        "program": lambda: os.execv("/bin/true", ["true"]),
    }
    reached = dict.fromkeys(attempts, False)
    for name, attempt in attempts.items():
        try:
            attempt()
            reached[name] = True
        except OSError:
            pass
    return reached


def in_fork(work: Callable[[], object]) -> Any:
    """Returns the result of a forked child, because not every user may start our Python."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        try:
            os.write(writing, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        found = answer.read()
    os.waitpid(child, 0)
    return json.loads(found)


def main(sample: Path, user: int, *, landlock: bool) -> dict[str, object]:
    parser = SandboxedParser()
    sample.with_name("secret").write_bytes(b"secret")
    os.chown(sample.with_name("secret"), user, -1)
    os.setuid(user)
    # A change of user hides it too: this test is of what we do ourselves.
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
    linux.hide_memory()
    enter_container(landlock=landlock)
    us = os.getpid()
    reached = in_fork(lambda: hostile(us))
    with socket.create_server(("127.0.0.1", 0)) as server:
        port, secret = server.getsockname()[1], sample.with_name("secret")
        fences = in_fork(lambda: asdict(probe.main(port, us, secret)))
    may_parse = os.access(sys.executable, os.X_OK) and os.access(sample, os.R_OK)
    return {
        "reached": [name for name, succeeded in reached.items() if succeeded],
        "missing": [name for name, holds in fences.items() if not holds],
        "parsed": len(asyncio.run(parser.parse(sample, sample.name))) if may_parse else None,
    }


if __name__ == "__main__":
    found = main(Path(sys.argv[1]), int(sys.argv[2]), landlock=sys.argv[3] == "landlock")
    sys.stdout.write(json.dumps(found))
