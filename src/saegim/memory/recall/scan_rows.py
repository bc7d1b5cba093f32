"""Columns that SQL sends as one string of bytes each, which costs a tenth of as many rows."""

from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saegim.memory.recall.ports import Seconds

# Times on the wire are microseconds since the year 2000.
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC).timestamp()


def column(sent: bytes | None, kind: str | list[tuple[str, str]]) -> NDArray[Any]:
    """The values of a column on the wire, one after the other; none where there are no rows."""
    return np.frombuffer(sent or b"", np.dtype(kind))


def seconds(sent: bytes | None) -> Seconds:
    """Times as seconds since 1970."""
    return column(sent, ">i8").astype(np.float64) / 1e6 + _EPOCH
