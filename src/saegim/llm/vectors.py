"""Vector arithmetic."""

from collections.abc import Sequence
from math import isfinite, sqrt

from saegim.domain.errors import ModelUnavailable


def unit(vector: Sequence[float], dimensions: int, name: str) -> list[float]:
    """Scale a vector to length 1. Raises ModelUnavailable for an unusable one."""
    if len(vector) != dimensions:
        raise ModelUnavailable(f"{name}: a vector of {len(vector)} values")
    length = sqrt(sum(value * value for value in vector))
    if length == 0.0 or not isfinite(length):
        raise ModelUnavailable(f"{name}: a vector without direction")
    return [value / length for value in vector]
