"""How services mask: small texts at once, large ones outside the event loop."""

from collections.abc import Sequence
from typing import Protocol

from saegim.text.masking import Masked

INLINE_CHARACTERS = 4_000
"""Texts up to this length together are masked where they are: a few milliseconds at most."""


class Masking(Protocol):
    """Masks texts without holding up the event loop."""

    async def mask(self, texts: Sequence[str]) -> list[Masked]:
        """Each text with placeholders, in order."""
        ...
