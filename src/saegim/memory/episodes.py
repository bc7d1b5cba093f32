"""Index episodes: windows of consecutive turns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from saegim.conversations.types import Exchange, says_anything
from saegim.memory.consents import PostgresConsents
from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.episode_repository import PostgresEpisodes
from saegim.memory.turn_features import turn_features, turn_text
from saegim.memory.types import (
    EmbedderMoved,
    EpisodeStatus,
    OwnTurn,
    TurnWindow,
    WindowChanged,
)

# A message with about three messages on either side.
WINDOW_TURNS = 3


@dataclass(frozen=True, eq=False)
class Episodes:
    store: PostgresEpisodes
    embedder: MemoryEmbedder
    consents: PostgresConsents

    async def index(self, tenant: UUID, turn: UUID) -> bool:
        """Store the episode that ends with `turn`, unless memory is off. Idempotent."""
        while True:
            window = await self.store.window(tenant, turn, WINDOW_TURNS)
            turns = () if window is None else _rememberable(window.turns)
            if window is None or not turns or not await self._wanted(window):
                return False
            content = render(replace(window, turns=turns))
            searchable, alone = await self.embedder.searchables(
                tenant, [content, turn_text(turns[-1])]
            )
            own = OwnTurn(turn_features(turns[-1]), alone.embedding)
            try:
                return await self.store.save(window, content, searchable, own)
            except (EmbedderMoved, WindowChanged):
                continue

    async def _wanted(self, window: TurnWindow) -> bool:
        """Return whether to make the episode; consent counts only for new ones."""
        status = await self.store.standing(window)
        if status is EpisodeStatus.NEW:
            return await self.consents.allows(window.scope, window.session)
        return status is EpisodeStatus.TO_INDEX


def _rememberable(turns: Sequence[Exchange]) -> tuple[Exchange, ...]:
    """Return the turns that say something; none if the last one does not.

    A reply written without a model only quotes, and must not preserve what is forgotten elsewhere.
    """
    allowed = [replace(turn, reply="") if turn.by_rule else turn for turn in turns]
    kept = tuple(turn for turn in allowed if says_anything(f"{turn.message}{turn.reply}"))
    return kept if kept and kept[-1].number == turns[-1].number else ()


def render(window: TurnWindow) -> str:
    """Return messages and replies line by line, oldest first."""
    lines = (line for turn in window.turns for line in (turn.message, turn.reply))
    return "\n".join(line for line in lines if says_anything(line))
