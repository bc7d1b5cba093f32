"""Worker processes that tests start, and kill."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from typing import Literal

What = Literal["sleep", "die"]


@contextlib.contextmanager
def worker_process(url: str, what: What) -> Iterator[subprocess.Popen[bytes]]:
    """Starts a worker process whose jobs sleep for ever or kill it."""
    command = [sys.executable, "-m", "tests.integration.jobs.worker_process", url, what]
    process = subprocess.Popen(command)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
