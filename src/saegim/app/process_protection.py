"""What every process that holds keys does when it starts."""

import contextlib
import logging
import sys

from saegim.library.parsing.sandbox import linux, probe

log = logging.getLogger(__name__)


def protect_process() -> None:
    """Keeps other processes of the same user from reading our memory and environment."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # a very strict container; the log below tells
            linux.hide_memory()


async def log_missing_fences() -> None:
    """Warns about what a parser of hostile files could reach on this machine."""
    missing = (await probe.look()).missing
    if missing:
        log.warning("parser fences missing: %s (see `saegim doctor`)", ", ".join(missing))
