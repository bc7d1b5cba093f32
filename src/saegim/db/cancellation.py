"""Cancellation of tasks that wait for a database driver."""

import asyncio


def reraise_if_cancelled(error: BaseException) -> None:
    """Raises CancelledError if this task was cancelled and got this error instead.

    A cancelled driver notifies its server and raises if the server is gone. Treating that as an
    outage would retry and never stop."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError from error
