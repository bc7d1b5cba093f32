"""Episodes: windows of consecutive turns, made searchable after each turn (LM5)."""

from uuid import UUID

from saegim.memory.ports import Embedded, EmbedderMoved, EpisodeStore, Window
from saegim.search import analyse
from saegim.steps.embedders import Embedders

# Three turns are a message with about three messages on either side of it.
WINDOW_TURNS = 3


class Episodes:
    def __init__(self, store: EpisodeStore, embedders: Embedders) -> None:
        self._store = store
        self._embedders = embedders

    async def index(self, tenant: UUID, turn: UUID) -> bool:
        """Stores the episode that ends with `turn`; running twice changes nothing."""
        window = await self._store.window(tenant, turn, WINDOW_TURNS)
        if window is None or await self._store.known(window):
            return False
        content = render(window)
        terms = analyse.terms(content)
        while True:
            name = await self._store.embedder(tenant)
            [vector] = await self._embedders.named(name).embed([content], "document")
            try:
                return await self._store.save(window, content, Embedded(name, vector), terms)
            except EmbedderMoved:
                continue


def render(window: Window) -> str:
    """What was said, line by line, oldest first."""
    lines: list[str] = []
    for turn in window.turns:
        lines += [turn.message, turn.reply]
    return "\n".join(line for line in lines if line)
