"""What memory would put before a model: the conversation's own, and what is recalled."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from saegim.chat.preview import Preview
from saegim.conversations.types import WorkingState
from saegim.domain.ids import Clock
from saegim.domain.scope import Caller
from saegim.evaluation.types import MemoryStatement
from saegim.llm.search_mode import is_search_mode
from saegim.memory.recall.service import Recall
from saegim.memory.types import RecallCandidate, RecallRequest, Recollection
from saegim.text import analysis, tokens


@dataclass(frozen=True, slots=True)
class MemorySnapshot:
    """A session's working memory and a recollection, at one query."""

    state: WorkingState
    recollection: Recollection
    seconds: float

    @property
    def entities(self) -> tuple[tuple[str, str], ...]:
        return tuple((entity.key, entity.value) for entity in self.state.entities)

    @property
    def memories(self) -> tuple[RecallCandidate, ...]:
        """What long-term memory holds for true, as far as it came back."""
        return (*self.recollection.pinned, *self.recollection.records)

    def alone(self) -> tuple[MemoryStatement, ...]:
        """Working memory: the summary, sentence by sentence, and the recent turns."""
        summary = [MemoryStatement(text) for text in analysis.sentences(self.state.summary)]
        return (*summary, *self._said())

    def with_recall(self) -> tuple[MemoryStatement, ...]:
        """Working memory and what was recalled, nothing twice."""
        recalled = [
            MemoryStatement(each.text, each.said_at)
            for each in (*self.memories, *self.recollection.episodes)
        ]
        return tuple(dict.fromkeys((*self.alone(), *recalled)))

    def believed(self) -> tuple[str, ...]:
        """What memory made of what was said, apart from what was said."""
        return (
            *analysis.sentences(self.state.summary),
            *(f"{key}: {value}" for key, value in self.entities),
            *(each.text for each in self.memories),
        )

    def _said(self) -> Iterator[MemoryStatement]:
        for turn in self.state.recent:
            yield MemoryStatement(turn.message, turn.at)
            if turn.reply and not is_search_mode(turn.reply):
                yield MemoryStatement(turn.reply, turn.at)


def size(memory: tuple[MemoryStatement, ...], entities: tuple[tuple[str, str], ...]) -> int:
    """The tokens that a memory takes."""
    lines = [each.text for each in memory] + [f"{key}: {value}" for key, value in entities]
    return tokens.count("\n".join(lines)) if lines else 0


class MemorySnapshots:
    """Looks at memory as a turn would."""

    def __init__(self, preview: Preview, recall: Recall, clock: Clock) -> None:
        self._preview = preview
        self._recall = recall
        self._clock = clock

    async def of(self, caller: Caller, session: UUID | None, query: str) -> MemorySnapshot:
        """What memory has for a query of the caller's. Raises NotFound for a strange session."""
        state = WorkingState(completed_turns=0)
        if session is not None:
            state = (await self._preview.show(caller.scope, session)).state
        request = RecallRequest(
            scope=caller.scope,
            message=query,
            now=self._clock.now(),
            time_zone=caller.time_zone,
            entities=tuple(f"{entity.key} {entity.value}" for entity in state.entities),
            summary=state.summary,
            session=session,
            recent_from=state.recent[0].number if state.recent else None,
        )
        began = time.monotonic()
        recollection = await self._recall.recall(request)
        return MemorySnapshot(state, recollection, time.monotonic() - began)
