"""Jobs give way to answers on a machine that does both."""

import os


def lower_priority(by: int) -> None:
    """Lowers this process in the line for processors, where the system knows of one; a worker that
    has a machine of its own is as fast as before."""
    if hasattr(os, "nice"):
        os.nice(by)
