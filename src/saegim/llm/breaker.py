"""The circuit breaker before a provider that keeps failing."""

from collections.abc import Callable


class Breaker:
    """Keeps a step from waiting for a model that keeps failing.

    After `threshold` failures in a row nothing passes for `cool_down_seconds`; then one request
    tries again while the others still hold back. A trial that never reports back costs only
    another cool-down.
    """

    def __init__(
        self, now: Callable[[], float], threshold: int = 3, cool_down_seconds: float = 10.0
    ) -> None:
        self._now = now
        self._threshold = threshold
        self._cool_down = cool_down_seconds
        self._failures = 0
        self._closed_until = 0.0

    def admits(self) -> bool:
        """Whether the model may be asked now. Asking for admission takes the trial."""
        if self._failures < self._threshold:
            return True
        if self._now() < self._closed_until:
            return False
        self._closed_until = self._now() + self._cool_down
        return True

    def succeeded(self) -> None:
        self._failures = 0

    def failed(self) -> None:
        self._failures += 1
        if self._failures >= self._threshold:
            self._closed_until = self._now() + self._cool_down
