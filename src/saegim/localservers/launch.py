"""Runs for a moment between us and a server: gives up root, ties its life to ours, becomes it.

A script of its own, because code that runs between fork and exec in a process with threads may
hang, and because the kernel forgets a death signal when the user changes. Standard library only.
"""

import ctypes
import os
import sys
import time

PR_SET_PDEATHSIG = 1
POLL_SECONDS = 0.2


def give_up_root(user: int, group: int) -> None:
    os.setgroups([])
    os.setgid(group)
    os.setuid(user)


def ask_the_kernel(death_signal: int) -> None:
    """Linux sends the signal to us, and to what we become, when our parent dies."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_PDEATHSIG, death_signal, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def leave_a_watcher(parent: int, death_signal: int) -> None:
    """For systems without a death signal: a process that polls and sends it."""
    server = os.getpid()
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    if os.fork():  # a grandchild belongs to init: the server must not see a child it does not know
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
        give_up_root(user, group)
    if tie == "kernel":
        ask_the_kernel(death_signal)
    else:
        leave_a_watcher(parent, death_signal)
    if os.getppid() != parent:  # it died before the tie was made
        sys.exit(1)
    os.execv(command[0], command)  # noqa: S606  no shell is wanted; the command is ours


if __name__ == "__main__":
    main(sys.argv[1:])
