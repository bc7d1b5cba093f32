"""LanceDB and Arrow, imported when first used, and the one place that names their faults."""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from saegim.domain.errors import IndexBroken, OptionalServiceDown

PART = "index"

# The engine raises RuntimeError for most that goes wrong in storage, and ValueError for files that
# are not what they should be; a timeout is an OSError.
FAULTS = (RuntimeError, OSError, ValueError)


class WrongDimensions(ValueError):
    """A vector that does not fit the index: a fault of ours, not of the engine's."""


@dataclass(frozen=True, slots=True)
class LanceEngine:
    """The engine's modules; untyped upstream."""

    lancedb: Any
    index: Any
    query: Any
    arrow: Any
    numpy: Any


@cache
def load() -> LanceEngine:
    """The engine. The first call takes seconds and 80 MB, so it belongs in a thread."""
    # Its warnings name folders, tenants' ids among them, on standard error.
    os.environ.setdefault("LANCEDB_LOG", "error")
    return LanceEngine(
        lancedb=import_module("lancedb"),
        index=import_module("lancedb.index"),
        query=import_module("lancedb.query"),
        arrow=import_module("pyarrow"),
        numpy=import_module("numpy"),
    )


@asynccontextmanager
async def reaching(seconds: float) -> AsyncGenerator[None]:
    """Whatever keeps the engine from answering in time is `Degraded`; importing it takes none.

    Any other fault of its storage is `IndexBroken`."""
    if not load.cache_info().currsize:
        await asyncio.to_thread(load)
    try:
        async with asyncio.timeout(seconds):
            yield
    except WrongDimensions:
        raise
    except TimeoutError as fault:
        raise OptionalServiceDown(PART) from fault
    except FAULTS as fault:
        raise IndexBroken from fault


# The engine has neither types nor codes for these two: its text is compared here and nowhere else.


def is_gone(fault: RuntimeError) -> bool:
    """Whether files were not there: cleaned up under an old handle, or deleted."""
    return "Not found:" in str(fault)


def is_no_table(fault: ValueError) -> bool:
    """Whether there is no table of that name."""
    return "was not found" in str(fault)
