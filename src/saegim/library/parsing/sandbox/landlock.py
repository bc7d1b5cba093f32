"""Landlock: restrict the files and connections of this process."""

import ctypes
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from saegim.library.parsing.sandbox.linux import syscall

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


def restrict(readable: Iterable[Path]) -> None:
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
