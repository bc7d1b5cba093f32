"""Limits of the index: memory, open files, time."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class LanceLimits:
    """Limits per group of open indexes; two groups are open at once, each with its own caches."""

    open_indexes: int = 256
    index_cache_bytes: int = 256 * 1024 * 1024
    metadata_cache_bytes: int = 64 * 1024 * 1024
    read_seconds: float = 5.0
    write_seconds: float = 60.0
    upkeep_seconds: float = 3600.0
    # Readers in other processes may lag this far before they have to reopen.
    keep_versions: timedelta = timedelta(minutes=10)
    # Smaller indexes are searched exactly, vector by vector.
    vector_index_rows: int = 50_000
    # A filter with at most this many matches is searched exactly.
    exact_rows: int = 5_000
    probes: int = 50
    refine: int = 3


DEFAULT_LIMITS = LanceLimits()
