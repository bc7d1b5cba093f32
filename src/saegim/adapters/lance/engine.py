"""LanceDB and Arrow, imported when first used, and the one place that names their faults."""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from saegim.domain.errors import Degraded

PART = "index"

# The engine raises RuntimeError for everything that goes wrong in storage; a timeout is an OSError.
FAULTS = (RuntimeError, OSError)


@dataclass(frozen=True, slots=True)
class Engine:
    """The engine's modules; untyped upstream."""

    lancedb: Any
    index: Any
    query: Any
    arrow: Any
    numpy: Any


@cache
def load() -> Engine:
    """The engine. The first call takes seconds and 80 MB, so it belongs in a thread."""
    # Its warnings name folders, tenants' ids among them, on standard error.
    os.environ.setdefault("LANCEDB_LOG", "error")
    return Engine(
        lancedb=import_module("lancedb"),
        index=import_module("lancedb.index"),
        query=import_module("lancedb.query"),
        arrow=import_module("pyarrow"),
        numpy=import_module("numpy"),
    )


@asynccontextmanager
async def reaching(seconds: float) -> AsyncGenerator[None]:
    """Whatever keeps the engine from answering in time is `Degraded`; importing it takes none."""
    if not load.cache_info().currsize:
        await asyncio.to_thread(load)
    try:
        async with asyncio.timeout(seconds):
            yield
    except FAULTS as fault:
        raise Degraded(PART) from fault


def is_gone(fault: RuntimeError) -> bool:
    """Whether files were not there: cleaned up under an old handle, or deleted."""
    return "Not found:" in str(fault)
