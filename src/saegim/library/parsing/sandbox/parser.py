"""The `Parser` port: each file is read by a child process with limits, which may die in our stead.

A crash, a limit or nonsense on its output is an Unreadable file, never a fault of ours.
"""

import asyncio
import json
import logging
import os
import signal
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import ParseLimits
from saegim.library.parsing.reasons import Reason
from saegim.library.parsing.sandbox import results, wire
from saegim.library.parsing.sandbox.confinement import FENCE, Fence
from saegim.library.types import ParsedDocument
from saegim.text.analysis import normalise

log = logging.getLogger(__name__)

_CHUNK = 1 << 16
# No secret of ours is in the child's environment; how Python finds its modules has to be.
_PASSED = ("PYTHON", "LD_LIBRARY_PATH", "DYLD_", "SYSTEMROOT")
_OUT_OF_TIME = {-signal.SIGXCPU, -signal.SIGALRM}


class SandboxedParser:
    """Reads files in children, at most one per core."""

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
        self._places = asyncio.Semaphore(children or _cores())
        self.environment = {
            name: value for name, value in environment.items() if name.upper().startswith(_PASSED)
        }

    async def parse(self, file: Path, name: str) -> list[ParsedDocument]:
        """The documents in a file, whose `name` tells its kind. Raises Unreadable."""
        async with self._places:
            descriptor = self._open(file)
            try:
                output = await self._read(descriptor, name)
            finally:
                os.close(descriptor)
        try:
            # In a thread: the lines are small, so that the event loop gets its turn in between.
            return await asyncio.to_thread(results.documents_of, output)
        except results.ParserCrashed as crash:
            log.warning("a parser broke down: %s", crash)
            raise Unreadable(Reason.CORRUPT) from crash

    def _open(self, file: Path) -> int:
        """The file, opened only to be read; a pipe or a device would wait for ever."""
        try:
            descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        except OSError as error:
            raise Unreadable(Reason.MISSING) from error
        found = os.fstat(descriptor)
        reason = None
        if not stat.S_ISREG(found.st_mode):
            reason = Reason.UNSUPPORTED
        elif found.st_size > self._limits.file_bytes:
            reason = Reason.TOO_LARGE
        elif not found.st_size:
            reason = Reason.EMPTY
        if reason is not None:
            os.close(descriptor)
            raise Unreadable(reason)
        return descriptor

    async def _read(self, descriptor: int, name: str) -> bytes:
        """All that the child writes."""
        order = {"name": normalise(name), "limits": asdict(self._limits), "fence": self._fence}
        process = await asyncio.create_subprocess_exec(
            *(
                sys.executable,
                "-P",
                "-s",
                "-X",
                "utf8",
                "-m",
                "saegim.library.parsing.sandbox.child",
            ),
            stdin=descriptor,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=self.environment | {wire.ORDER: json.dumps(order)},
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(self._limits.wall_seconds):
                output = await _output(process, self._limits.output_bytes)
                code = await process.wait()
        except TimeoutError as error:
            raise Unreadable(Reason.TIMEOUT) from error
        finally:
            await _end(process)
        if code in _OUT_OF_TIME:
            raise Unreadable(Reason.TIMEOUT)
        # Where memory runs out for the whole machine, the kernel kills.
        if code in (wire.OUT_OF_MEMORY, -signal.SIGKILL):
            raise Unreadable(Reason.MEMORY)
        if code not in (wire.DONE, wire.CRASHED):
            log.warning("a parser broke down: exit code %d", code)
            raise Unreadable(Reason.CORRUPT)
        return output


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


async def _output(process: asyncio.subprocess.Process, most: int) -> bytes:
    assert process.stdout is not None, "the child's output is a pipe"
    output = bytearray()
    while chunk := await process.stdout.read(_CHUNK):
        output += chunk
        if len(output) > most:
            raise Unreadable(Reason.TOO_LARGE)
    return bytes(output)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kills the child if it still runs, and waits until it is gone."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
    assert process.stdout is not None, "the child's output is a pipe"
    # What is left in the pipe has to be read before it counts as closed.
    while await process.stdout.read(_CHUNK):
        pass
    await process.wait()
