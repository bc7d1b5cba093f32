"""Linux system calls without a Python function. They raise OSError."""

import ctypes
import os
from functools import cache
from typing import Any

_SET_DUMPABLE = 4
_SET_NO_NEW_PRIVILEGES = 38
_CAPABILITY_VERSION_3 = 0x20080522


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def syscall(number: int, *arguments: Any) -> int:
    """Make a system call. Pass pointers as ctypes objects."""
    wide = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return _checked(_libc().syscall(ctypes.c_long(number), *wide))


def hide_memory() -> None:
    """Prevent other processes of the user from reading this one's memory and environment.

    Also disables core dumps, which would hold the same secrets."""
    _prctl(_SET_DUMPABLE, 0)


def forbid_new_privileges() -> None:
    """Set no_new_privs, which Landlock and seccomp require."""
    _prctl(_SET_NO_NEW_PRIVILEGES, 1)


def drop_capabilities(capset: int) -> None:
    """Drop all capabilities, such as reading the memory of any process."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    syscall(capset, ctypes.byref(header), ctypes.byref(nothing))


def _prctl(option: int, value: int) -> None:
    unused = (ctypes.c_ulong(0),) * 3
    _checked(_libc().prctl(ctypes.c_int(option), ctypes.c_ulong(value), *unused))


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
