"""Worker processes that mask large texts.

Masking is pure Python and holds the GIL, so a thread would still slow the event loop down.
"""

import asyncio
import logging
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence

from saegim.text import masking_worker
from saegim.text.masking import MaskedText, mask

log = logging.getLogger(__name__)

INLINE_CHARACTERS = 4_000
"""Texts up to this length together are masked where they are: a few milliseconds at most."""
WORKERS = 2
SECONDS = 60.0
_COMMAND = (sys.executable, "-P", "-s", "-X", "utf8", "-m", "saegim.text.masking_worker")
# How Python finds its modules; no secret of ours is in the child's environment.
_PASSED = ("PYTHON", "LD_LIBRARY_PATH", "DYLD_", "SYSTEMROOT")


class MaskWorkers:
    """A few processes, started when they are first needed; one that broke is replaced."""

    def __init__(
        self,
        workers: int = WORKERS,
        *,
        command: Sequence[str] = _COMMAND,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        self._command = command
        self._environment = {
            name: value for name, value in environment.items() if name.upper().startswith(_PASSED)
        }
        self._slots = asyncio.Semaphore(workers)
        self._idle: list[subprocess.Popen[bytes]] = []

    async def mask(self, texts: Sequence[str]) -> list[MaskedText]:
        """Each text with placeholders, in order."""
        if sum(map(len, texts)) <= INLINE_CHARACTERS:
            return [mask(text) for text in texts]
        async with self._slots:
            for _ in range(2):
                try:
                    return await self._ask(texts)
                except (OSError, EOFError, ValueError, TimeoutError) as error:
                    log.warning("a mask worker broke: %s", type(error).__name__)
        # Slower for everybody, but no text is ever stored unmasked.
        return await asyncio.to_thread(lambda: [mask(text) for text in texts])

    async def close(self) -> None:
        """Ends the processes."""
        idle, self._idle = self._idle, []
        for process in idle:
            await asyncio.to_thread(_end, process)

    async def _ask(self, texts: Sequence[str]) -> list[MaskedText]:
        process = self._idle.pop() if self._idle else await asyncio.to_thread(self._start)
        try:
            async with asyncio.timeout(SECONDS):
                found = await asyncio.to_thread(_exchange, process, texts)
        except BaseException:
            # Also when the caller is cancelled: an answer that nobody read must not be the next's.
            process.kill()
            await asyncio.shield(asyncio.to_thread(_end, process))
            raise
        self._idle.append(process)
        return found

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603 - our own module
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self._environment,
        )


def _exchange(process: subprocess.Popen[bytes], texts: Sequence[str]) -> list[MaskedText]:
    assert process.stdin is not None, "a pipe"
    assert process.stdout is not None, "a pipe"
    masking_worker.write(process.stdin, texts)
    found = [masking_worker.masked_of(each) for each in masking_worker.read(process.stdout)]
    if len(found) != len(texts):
        raise ValueError("an answer of another length")
    return found


def _end(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None, "a pipe"
    assert process.stdout is not None, "a pipe"
    try:
        process.stdin.close()
    except OSError:
        process.kill()
    process.stdout.close()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
