"""Exec wrapper: drops root, sets PR_SET_PDEATHSIG, execs the server.

A separate script, because code between fork and exec may hang in a process with threads, and
because the kernel clears the death signal when the user changes. Standard library only.
"""

import ctypes
import os
import sys
import time

PR_SET_PDEATHSIG = 1
POLL_SECONDS = 0.2


def drop_root(user: int, group: int) -> None:
    os.setgroups([])
    os.setgid(group)
    os.setuid(user)


def set_death_signal(death_signal: int) -> None:
    """Make Linux send the signal to this process, also after exec, when its parent dies."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_PDEATHSIG, death_signal, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def start_watcher(parent: int, death_signal: int) -> None:
    """Fork a process that polls the parent and sends the signal, on other systems."""
    server = os.getpid()
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    if os.fork():  # a grandchild belongs to init, so the server gets no unexpected child
        os._exit(0)
    os.setsid()
    os.closerange(0, 256)
    while is_alive(parent) and is_alive(server):
        time.sleep(POLL_SECONDS)
    if is_alive(server):
        os.kill(server, death_signal)
    os._exit(0)


def main(arguments: list[str]) -> None:
    parent, death_signal, user, group = (int(argument) for argument in arguments[:4])
    tie, command = arguments[4], arguments[5:]
    if user != os.getuid():
        drop_root(user, group)
    if tie == "kernel":
        set_death_signal(death_signal)
    else:
        start_watcher(parent, death_signal)
    if os.getppid() != parent:  # the parent died before the signal was set
        sys.exit(1)
    os.execv(command[0], command)  # noqa: S606  no shell is wanted; the command is ours


if __name__ == "__main__":
    main(sys.argv[1:])
