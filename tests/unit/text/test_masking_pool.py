"""Large texts are masked in worker processes, which are replaced when they break."""

import asyncio
import gc
import os
import signal
import sys
import time
from collections.abc import AsyncIterator

import pytest

from saegim.text.masking import MaskedText, mask
from saegim.text.masking_pool import MaskWorkers

LARGE = "900101-1234568 " * 4_000


@pytest.fixture
async def workers() -> AsyncIterator[MaskWorkers]:
    workers = MaskWorkers()
    yield workers
    await workers.close()


def processes(workers: MaskWorkers) -> list[int]:
    return [process.pid for process in workers._idle]


async def test_small_texts_start_no_process(workers: MaskWorkers) -> None:
    assert await workers.mask(["900101-1234568"]) == [mask("900101-1234568")]
    assert not processes(workers)


async def test_large_texts_are_masked_elsewhere(workers: MaskWorkers) -> None:
    await workers.mask([LARGE])
    found, used = list[MaskedText](), list[float]()
    for _ in range(3):
        before = time.thread_time()
        found = await workers.mask([LARGE, "a\ud800b", ""])
        used.append(time.thread_time() - before)
    assert len(processes(workers)) == 1, "the process is kept for the next"
    began = time.thread_time()
    assert found == [mask(text) for text in (LARGE, "a\ud800b", "")]
    assert min(used) < (time.thread_time() - began) / 2, "hardly any of this thread's time"


async def test_a_broken_worker_is_replaced(workers: MaskWorkers) -> None:
    await workers.mask([LARGE])
    [first] = processes(workers)
    os.kill(first, signal.SIGKILL)
    assert await workers.mask([LARGE]) == [mask(LARGE)]
    [second] = processes(workers)
    assert second != first


@pytest.mark.parametrize("during", ["start", "masking"])
async def test_a_cancelled_request_leaves_no_answer_and_no_process(
    workers: MaskWorkers, during: str
) -> None:
    if during == "masking":
        await workers.mask([LARGE])
    task = asyncio.create_task(workers.mask([LARGE * 5]))
    await asyncio.sleep(0)
    assert not processes(workers)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    # A process that still ran would be a warning, which is an error.
    gc.collect()
    assert await workers.mask([LARGE]) == [mask(LARGE)]


async def test_texts_are_masked_where_no_worker_can_run() -> None:
    workers = MaskWorkers(command=(sys.executable, "-c", "pass"))
    assert await workers.mask([LARGE]) == [mask(LARGE)]
    assert not processes(workers)


async def test_close_ends_the_processes(workers: MaskWorkers) -> None:
    await workers.mask([LARGE])
    [process] = processes(workers)
    await workers.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
