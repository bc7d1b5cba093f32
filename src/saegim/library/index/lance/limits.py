"""How much the index may take: memory, open files, time."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class LanceLimits:
    """At most two groups of indexes are open at once, each with caches of its own.

    So an instance keeps up to twice `open_indexes` files and twice the cache bytes."""

    open_indexes: int = 256
    index_cache_bytes: int = 256 * 1024 * 1024
    metadata_cache_bytes: int = 64 * 1024 * 1024
    read_seconds: float = 5.0
    write_seconds: float = 60.0
    upkeep_seconds: float = 3600.0
    # Readers in other processes may be this far behind before they fail and reopen.
    keep_versions: timedelta = timedelta(minutes=10)
    # Below this many rows vectors are compared one by one, which is exact.
    vector_index_rows: int = 50_000
    # A filter that leaves no more than this many rows is searched exactly, whatever the size.
    exact_rows: int = 5_000
    probes: int = 50
    refine: int = 3


DEFAULT_LIMITS = LanceLimits()
