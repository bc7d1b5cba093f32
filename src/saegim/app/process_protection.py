"""Protection of processes that hold keys."""

import contextlib
import logging
import sys

from saegim.library.parsing.sandbox import linux, probe

log = logging.getLogger(__name__)


def protect_process() -> None:
    """Stops other processes of the same user from reading our memory and environment."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # a strict container
            linux.hide_memory()


async def log_missing_fences() -> None:
    """Warns about missing sandbox features of the document parser."""
    missing = (await probe.look()).missing
    if missing:
        log.warning("parser fences missing: %s (see `saegim doctor`)", ", ".join(missing))
