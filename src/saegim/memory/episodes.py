"""Episodes: windows of consecutive turns, made searchable after each turn (LM5)."""

from uuid import UUID

from saegim.memory.ports import EpisodeStore, Window
from saegim.search import analyse
from saegim.steps.ports import Embedder

# Three turns are a message with about three messages on either side of it.
WINDOW_TURNS = 3


class Episodes:
    def __init__(self, store: EpisodeStore, embedder: Embedder) -> None:
        self._store = store
        self._embedder = embedder

    async def index(self, tenant: UUID, turn: UUID) -> bool:
        """Stores the episode that ends with `turn`; running twice changes nothing."""
        window = await self._store.window(tenant, turn, WINDOW_TURNS)
        if window is None or await self._store.known(window):
            return False
        content = render(window)
        [embedding] = await self._embedder.embed([content], "document")
        return await self._store.save(window, content, embedding, analyse.terms(content))


def render(window: Window) -> str:
    """What was said, line by line, oldest first."""
    lines: list[str] = []
    for turn in window.turns:
        lines += [turn.message, turn.reply]
    return "\n".join(line for line in lines if line)
