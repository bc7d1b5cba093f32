"""Episodes: windows of consecutive turns, made searchable after each turn (LM5)."""

from dataclasses import replace
from uuid import UUID

from saegim.domain.turn import Exchange
from saegim.memory.own_turn import own_turn
from saegim.memory.ports import ConsentStore, EmbedderMoved, EpisodeStore, Window
from saegim.memory.refusal import may_remember
from saegim.memory.types import Searchable
from saegim.search import analyse
from saegim.steps.embedders import Embedders
from saegim.steps.search_mode import is_search_mode

# Three turns are a message with about three messages on either side of it.
WINDOW_TURNS = 3


class Episodes:
    def __init__(self, store: EpisodeStore, embedders: Embedders, consents: ConsentStore) -> None:
        self._store = store
        self._embedders = embedders
        self._consents = consents

    async def index(self, tenant: UUID, turn: UUID) -> bool:
        """Stores the episode that ends with `turn`; running twice changes nothing.

        Nothing is stored where memory is off, and nothing of what is not to be remembered."""
        window = await self._store.window(tenant, turn, WINDOW_TURNS)
        if window is None or await self._store.known(window):
            return False
        said = may_remember(window.turns)
        if window.turns[-1] not in said or not await self._consents.allows(
            window.scope, window.session
        ):
            return False
        said = tuple(map(_without_quotes, said))
        content = render(replace(window, turns=said))
        terms, own = analyse.index_terms(content), own_turn(said[-1])
        while True:
            name = await self._store.embedder(tenant)
            [vector] = await self._embedders.named(name).embed([content], "document")
            try:
                return await self._store.save(window, content, Searchable(vector, terms, name), own)
            except EmbedderMoved:
                continue


def _without_quotes(turn: Exchange) -> Exchange:
    """A reply that only quotes earlier turns says nothing of its own, and must not keep alive what
    is forgotten elsewhere."""
    return replace(turn, reply="") if is_search_mode(turn.reply) else turn


def render(window: Window) -> str:
    """What was said, line by line, oldest first."""
    lines: list[str] = []
    for turn in window.turns:
        lines += [turn.message, turn.reply]
    return "\n".join(line for line in lines if line)
