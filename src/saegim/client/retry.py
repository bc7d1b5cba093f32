"""Retries of the client."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Retry:
    """Retries with exponential backoff."""

    retries: int = 4
    first_pause: float = 0.25
    longest_pause: float = 10.0

    def pause(self, failures: int, retry_after: str | None = None) -> float | None:
        """Return the seconds to wait after so many failures, or None to give up.

        Respects `Retry-After` in seconds, up to the longest pause; ignores its date form.
        """
        if failures > self.retries:
            return None
        seconds = self.first_pause * 2 ** (failures - 1)
        if retry_after is not None and retry_after.isascii() and retry_after.isdigit():
            seconds = max(seconds, float(retry_after[:9]))
        return min(seconds, self.longest_pause)
