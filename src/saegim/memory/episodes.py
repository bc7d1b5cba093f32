"""Episodes: windows of consecutive turns, made searchable after each turn (LM5)."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from saegim.conversations.types import Exchange, says_anything
from saegim.llm.search_mode import is_search_mode
from saegim.llm.types import Embedders
from saegim.memory.episode_repository import PostgresEpisodes
from saegim.memory.opt_out import may_remember
from saegim.memory.ports import (
    ConsentStore,
    EmbedderMoved,
    EpisodeStatus,
    TurnWindow,
    WindowChanged,
)
from saegim.memory.turn_features import turn_features
from saegim.memory.types import Searchable
from saegim.text import analysis

# Three turns are a message with about three messages on either side of it.
WINDOW_TURNS = 3


class Episodes:
    def __init__(
        self, store: PostgresEpisodes, embedders: Embedders, consents: ConsentStore
    ) -> None:
        self._store = store
        self._embedders = embedders
        self._consents = consents

    async def index(self, tenant: UUID, turn: UUID) -> bool:
        """Stores the episode that ends with `turn`; running twice changes nothing.

        Nothing is stored where memory is off, and nothing of what is not to be remembered."""
        while True:
            window = await self._store.window(tenant, turn, WINDOW_TURNS)
            said = () if window is None else _worth_keeping(window.turns)
            if window is None or not said or not await self._wanted(window):
                return False
            content = render(replace(window, turns=said))
            terms, own = analysis.index_terms(content), turn_features(said[-1])
            name = await self._store.embedder(tenant)
            [vector] = await self._embedders.named(name).embed([content], "document")
            try:
                return await self._store.save(window, content, Searchable(vector, terms, name), own)
            except (EmbedderMoved, WindowChanged):
                continue

    async def _wanted(self, window: TurnWindow) -> bool:
        """Whether an episode is to be made. One that was made before is made again whatever
        consent says by now: switching memory off keeps what is known."""
        standing = await self._store.standing(window)
        if standing is EpisodeStatus.NEW:
            return await self._consents.allows(window.scope, window.session)
        return standing is EpisodeStatus.TO_INDEX


def _worth_keeping(turns: Sequence[Exchange]) -> tuple[Exchange, ...]:
    """What may be remembered of a window; nothing where its last turn may not."""
    said = [_without_quotes(turn) for turn in may_remember(turns)]
    kept = tuple(turn for turn in said if says_anything(f"{turn.message}{turn.reply}"))
    return kept if kept and kept[-1].number == turns[-1].number else ()


def _without_quotes(turn: Exchange) -> Exchange:
    """A reply that only quotes earlier turns says nothing of its own, and must not keep alive what
    is forgotten elsewhere."""
    return replace(turn, reply="") if is_search_mode(turn.reply) else turn


def render(window: TurnWindow) -> str:
    """What was said, line by line, oldest first."""
    lines: list[str] = []
    for turn in window.turns:
        lines += [turn.message, turn.reply]
    return "\n".join(line for line in lines if says_anything(line))
