"""A task that was told to stop stops, whatever its driver answers to that."""

import asyncio


def reraise_if_cancelled(answer: BaseException) -> None:
    """Raises CancelledError where this task was cancelled and got this error instead.

    A driver that is cancelled tells its server, and where the server is gone, it says so: whoever
    takes that for an outage would try again, or go on without, and never end."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError from answer
