from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Retry:
    """How often a call is tried again, and how long it waits in between."""

    retries: int = 4
    first_pause: float = 0.25
    longest_pause: float = 10.0

    def pause(self, failures: int, asked: str | None = None) -> float | None:
        """Seconds before the next try after so many failures; None when it is time to give up.

        A server's `Retry-After` counts, up to the longest pause; its date form does not.
        """
        if failures > self.retries:
            return None
        wanted = self.first_pause * 2 ** (failures - 1)
        if asked is not None and asked.isascii() and asked.isdigit():
            wanted = max(wanted, float(asked[:9]))
        return min(wanted, self.longest_pause)
