from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from saegim.memory.types import MemoryType


@dataclass(frozen=True, slots=True)
class Expiry:
    """Which records are past their time: by type, by how little they mattered, and by label.

    A record with one of the `labels` goes by that alone; a label without a time keeps it."""

    said_before: Mapping[MemoryType, datetime]
    importance: float
    unimportant_before: datetime
    labels: Mapping[str, datetime | None] = field(default_factory=dict[str, datetime | None])
