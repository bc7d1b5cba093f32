"""Worker processes that mask large texts: a thread would hold the GIL and block the event loop."""

import asyncio
import logging
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

from saegim.text import masking_worker
from saegim.text.masking import MaskedText, mask

log = logging.getLogger(__name__)

INLINE_CHARACTERS = 4_000
"""Texts up to this total length are masked in the caller, in a few milliseconds."""
WORKERS = 2
SECONDS = 60.0
_COMMAND = (sys.executable, "-P", "-s", "-X", "utf8", "-m", "saegim.text.masking_worker")
# What Python needs to find its modules; the child gets no secrets.
_PASSED = ("PYTHON", "LD_LIBRARY_PATH", "DYLD_", "SYSTEMROOT")


class MaskWorkers:
    """A pool of processes, started on first use; a failed one is replaced."""

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
        if sum(map(len, texts)) <= INLINE_CHARACTERS:
            return [mask(text) for text in texts]
        async with self._slots:
            for _ in range(2):
                try:
                    return await self._mask_in_child(texts)
                except (OSError, EOFError, ValueError, TimeoutError) as error:
                    log.warning("mask worker failed: %s", type(error).__name__)
        # Slower, but no text may be stored unmasked.
        return await asyncio.to_thread(lambda: [mask(text) for text in texts])

    async def close(self) -> None:
        idle, self._idle = self._idle, []
        for process in idle:
            await asyncio.to_thread(_end, process)

    async def _mask_in_child(self, texts: Sequence[str]) -> list[MaskedText]:
        process = self._idle.pop() if self._idle else await self._started()
        try:
            async with asyncio.timeout(SECONDS):
                masked = await asyncio.to_thread(_exchange, process, texts)
        except BaseException:
            # Also on cancellation: an unread answer must not go to the next request.
            process.kill()
            await asyncio.shield(asyncio.to_thread(_end, process))
            raise
        self._idle.append(process)
        return masked

    async def _started(self) -> subprocess.Popen[bytes]:
        starting = asyncio.create_task(asyncio.to_thread(self._start))
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            await asyncio.shield(_discard(starting))
            raise

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
    masked = [masking_worker.masked_of(each) for each in masking_worker.read(process.stdout)]
    if len(masked) != len(texts):
        raise ValueError("mask worker returned a different number of texts")
    return masked


async def _discard(starting: asyncio.Task[subprocess.Popen[bytes]]) -> None:
    with suppress(OSError):
        process = await starting
        process.kill()
        await asyncio.to_thread(_end, process)


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
