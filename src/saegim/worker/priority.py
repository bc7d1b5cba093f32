"""Lowers the priority of the worker, so that jobs do not slow down answers."""

import os


def lower_priority(by: int) -> None:
    """Raise the nice value of this process, if the system has one."""
    if hasattr(os, "nice"):
        os.nice(by)
