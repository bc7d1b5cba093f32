from typing import Protocol


class Weather(Protocol):
    """Knows how the weather is."""

    async def at(self, place: str) -> str | None:
        """The weather at a place now, in a sentence; None where nobody knows."""
        ...
