"""A seccomp filter that refuses system calls to this process.

The default profiles of Docker and Kubernetes allow a process to add its own filter."""

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from saegim.library.parsing.sandbox.linux import syscall

_SET_FILTER, _ALL_THREADS = 1, 1
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_X32 = 0x40000000
_CLONE_THREAD = 0x00010000


@dataclass(frozen=True, slots=True)
class Machine:
    """A CPU architecture with its system call numbers."""

    audit: int
    calls: Mapping[str, int]


_SHARED = {
    "io_uring_setup": 425, "pidfd_send_signal": 424, "pidfd_open": 434, "clone3": 435,
    "pidfd_getfd": 438, "process_madvise": 440, "open_tree": 428, "move_mount": 429,
    "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "mount_setattr": 442,
}  # fmt: skip
MACHINES: Mapping[str, Machine] = {
    "x86_64": Machine(
        0xC000003E,
        {
            **_SHARED, "socket": 41, "connect": 42, "accept": 43, "bind": 49, "listen": 50,
            "socketpair": 53, "accept4": 288, "sendto": 44, "sendmsg": 46, "sendmmsg": 307,
            "clone": 56, "fork": 57, "vfork": 58, "execve": 59, "execveat": 322, "kill": 62,
            "tkill": 200, "tgkill": 234, "rt_sigqueueinfo": 129, "rt_tgsigqueueinfo": 297,
            "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312,
            "prlimit64": 302, "perf_event_open": 298, "bpf": 321, "userfaultfd": 323,
            "unshare": 272, "setns": 308, "mount": 165, "umount2": 166, "pivot_root": 155,
            "chroot": 161, "add_key": 248, "request_key": 249, "keyctl": 250,
            "open_by_handle_at": 304, "name_to_handle_at": 303, "capset": 126,
        },
    ),
    "aarch64": Machine(
        0xC00000B7,
        {
            **_SHARED, "socket": 198, "connect": 203, "accept": 202, "bind": 200, "listen": 201,
            "socketpair": 199, "accept4": 242, "sendto": 206, "sendmsg": 211, "sendmmsg": 269,
            "clone": 220, "execve": 221, "execveat": 281, "kill": 129, "tkill": 130,
            "tgkill": 131, "rt_sigqueueinfo": 138, "rt_tgsigqueueinfo": 240, "ptrace": 117,
            "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272, "prlimit64": 261,
            "perf_event_open": 241, "bpf": 280, "userfaultfd": 282, "unshare": 97, "setns": 268,
            "mount": 40, "umount2": 39, "pivot_root": 41, "chroot": 51, "add_key": 217,
            "request_key": 218, "keyctl": 219, "open_by_handle_at": 265,
            "name_to_handle_at": 264, "capset": 91,
        },
    ),
}  # fmt: skip
_SECCOMP = {"x86_64": 317, "aarch64": 277}
# Allowed in part: threads, signals to itself, its own limits.
_CHECKED = {"clone", "clone3", "tgkill", "prlimit64"}


def here() -> Machine:
    """Return the machine of this process. Raises OSError if its system calls are unknown."""
    if platform.machine() not in MACHINES:
        raise OSError(errno.ENOSYS, "unknown machine")
    return MACHINES[platform.machine()]


def forbid_reaching_out(machine: Machine) -> None:
    """Refuse sockets, other processes, new programs and namespaces."""
    calls = machine.calls
    rules = SeccompFilter(machine)
    rules.refuse(calls[name] for name in calls if name not in _CHECKED)
    # Without `clone3`, whose flags no filter can see, the C library falls back to `clone`.
    rules.refuse([calls["clone3"]], errno.ENOSYS)
    rules.refuse_unless(calls["clone"], _IF_ANY_BIT, _CLONE_THREAD)
    rules.refuse_unless(calls["tgkill"], _IF_EQUAL, os.getpid())
    rules.refuse_unless(calls["prlimit64"], _IF_EQUAL, 0)
    rules.install()


class SeccompFilter:
    """A BPF program that checks system call numbers."""

    def __init__(self, machine: Machine) -> None:
        self._code = [
            _step(_LOAD, _ARCHITECTURE),
            _step(_IF_EQUAL, machine.audit, 1, 0),
            _step(_RETURN, _ERRNO | errno.EPERM),
            _step(_LOAD, _NUMBER),
            # The same calls with x32 numbers.
            _step(_IF_AT_LEAST, _X32, 0, 1),
            _step(_RETURN, _ERRNO | errno.EPERM),
        ]

    def refuse(self, calls: Iterable[int], error: int = errno.EPERM) -> None:
        for number in calls:
            self._code += [_step(_IF_EQUAL, number, 0, 1), _step(_RETURN, _ERRNO | error)]

    def refuse_unless(self, call: int, test: int, value: int) -> None:
        """Refuse a call whose first argument does not pass the test."""
        self._code += [
            _step(_IF_EQUAL, call, 0, 4),
            _step(_LOAD, _FIRST_ARGUMENT),
            _step(test, value, 1, 0),
            _step(_RETURN, _ERRNO | errno.EPERM),
            _step(_RETURN, _ALLOW),
        ]

    def install(self) -> None:
        code = b"".join([*self._code, _step(_RETURN, _ALLOW)])
        steps = ctypes.create_string_buffer(code, len(code))
        pointer = ctypes.addressof(steps)
        program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(code) // 8, pointer))
        number = _SECCOMP[platform.machine()]
        syscall(number, _SET_FILTER, _ALL_THREADS, ctypes.byref(program))


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)
