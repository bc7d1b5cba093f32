from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from saegim.domain.scope import Scope
from saegim.domain.turn import Exchange


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive turns of one session, oldest first."""

    scope: Scope
    session: UUID
    turns: tuple[Exchange, ...]


@dataclass(frozen=True, slots=True)
class Embedded:
    """A vector, and the name of the embedder that made it."""

    embedder: str
    vector: Sequence[float]


class EmbedderMoved(Exception):
    """The index of memory was switched to another embedder meanwhile."""


class EpisodeStore(Protocol):
    """Keeps episodes with what recall searches in them."""

    async def window(self, tenant: UUID, turn: UUID, turns: int) -> Window | None:
        """The `turns` recorded turns that end with `turn`; None if it has no text or is gone."""
        ...

    async def known(self, window: Window) -> bool:
        """Whether the episode of this window is stored already."""
        ...

    async def embedder(self, tenant: UUID) -> str:
        """The name of the embedder that the tenant's index of memory is made with."""
        ...

    async def save(
        self, window: Window, content: str, embedded: Embedded, terms: Sequence[str]
    ) -> bool:
        """Stores the window's episode and counts its terms; False if it was there already.

        Raises EmbedderMoved where the vector is of another embedder than the index."""
        ...
