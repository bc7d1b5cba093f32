"""Parse each file in a confined child process.

A crash, an exceeded limit or invalid output makes the file Unreadable.
"""

import asyncio
import json
import logging
import os
import signal
import stat
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import ParseLimits, Reason
from saegim.library.parsing.sandbox import results, wire
from saegim.library.parsing.sandbox.children import Child, start_child
from saegim.library.parsing.sandbox.confinement import FENCE, Fence
from saegim.library.types import ParsedDocument
from saegim.text.analysis import normalise

log = logging.getLogger(__name__)

_CHUNK = 1 << 16
# The child's environment has no secrets, only what Python needs to find modules.
_PASSED = ("PYTHON", "LD_LIBRARY_PATH", "DYLD_", "SYSTEMROOT")
_OUT_OF_TIME = {-signal.SIGXCPU, -signal.SIGALRM}


class SandboxedParser:
    """Parses files in child processes, at most one per core. `most_bytes` is the most memory that
    one of them used."""

    def __init__(
        self,
        limits: ParseLimits | None = None,
        *,
        children: int | None = None,
        fence: Fence = FENCE,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        self._limits = limits or ParseLimits()
        self._fence = fence
        self.most_bytes = 0
        self._slots = asyncio.Semaphore(children or _cores())
        self.environment = {
            name: value for name, value in environment.items() if name.upper().startswith(_PASSED)
        }

    async def parse(self, file: Path, name: str) -> list[ParsedDocument]:
        """Parse a file, whose `name` helps to detect its kind. Raises Unreadable."""
        async with self._slots:
            descriptor = self._open(file)
            try:
                output = await self._read(descriptor, name)
            finally:
                os.close(descriptor)
        try:
            # In a thread: lines are small, so that the event loop keeps running.
            return await asyncio.to_thread(results.documents_of, output)
        except results.ParserCrashed as crash:
            log.warning("parser crashed: %s", crash)
            raise Unreadable(Reason.CORRUPT) from crash

    def _open(self, file: Path) -> int:
        """Open a regular file for reading; a pipe or a device would block."""
        try:
            descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        except OSError as error:
            raise Unreadable(Reason.MISSING) from error
        details = os.fstat(descriptor)
        reason = None
        if not stat.S_ISREG(details.st_mode):
            reason = Reason.UNSUPPORTED
        elif details.st_size > self._limits.file_bytes:
            reason = Reason.TOO_LARGE
        elif not details.st_size:
            reason = Reason.EMPTY
        if reason is not None:
            os.close(descriptor)
            raise Unreadable(reason)
        return descriptor

    async def _read(self, descriptor: int, name: str) -> bytes:
        order = {"name": normalise(name), "limits": asdict(self._limits), "fence": self._fence}
        child = await start_child(descriptor, json.dumps(order), self.environment)
        try:
            async with asyncio.timeout(self._limits.wall_seconds):
                output = await _output(child, self._limits.output_bytes)
                code = await child.wait()
        except TimeoutError as error:
            raise Unreadable(Reason.TIMEOUT) from error
        finally:
            await child.end()
            self.most_bytes = max(self.most_bytes, child.most_bytes)
        if code in _OUT_OF_TIME:
            raise Unreadable(Reason.TIMEOUT)
        # The kernel kills when the machine is out of memory.
        if code in (wire.OUT_OF_MEMORY, -signal.SIGKILL):
            raise Unreadable(Reason.MEMORY)
        if code not in (wire.DONE, wire.CRASHED):
            log.warning("parser crashed: exit code %d", code)
            raise Unreadable(Reason.CORRUPT)
        return output


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


async def _output(child: Child, most: int) -> bytes:
    output = bytearray()
    while chunk := await child.output.read(_CHUNK):
        output += chunk
        if len(output) > most:
            raise Unreadable(Reason.TOO_LARGE)
    return bytes(output)
