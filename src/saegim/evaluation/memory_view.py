"""Memory as a turn would see it: working memory and recall."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from saegim.chat.preview import Preview
from saegim.conversations.types import WorkingState
from saegim.domain.ids import Clock
from saegim.domain.scope import Caller
from saegim.evaluation.types import MemoryStatement
from saegim.memory.recall.service import Recall
from saegim.memory.recall.types import RecallCandidate, RecallRequest, Recollection
from saegim.text import analysis, tokens


@dataclass(frozen=True, slots=True)
class MemorySnapshot:
    """A session's working memory and what is recalled for one query."""

    state: WorkingState
    recollection: Recollection
    seconds: float

    @property
    def entities(self) -> tuple[tuple[str, str], ...]:
        return tuple((entity.key, entity.value) for entity in self.state.entities)

    @property
    def memories(self) -> tuple[RecallCandidate, ...]:
        return (*self.recollection.pinned, *self.recollection.records)

    def alone(self) -> tuple[MemoryStatement, ...]:
        """Return working memory: the sentences of the summary and the recent turns."""
        summary = [MemoryStatement(text) for text in analysis.sentences(self.state.summary)]
        return (*summary, *self._recent_messages())

    def with_recall(self) -> tuple[MemoryStatement, ...]:
        """Return working memory and recall, without duplicates."""
        recalled = [
            MemoryStatement(each.text, each.said_at)
            for each in (*self.memories, *self.recollection.episodes)
        ]
        return tuple(dict.fromkeys((*self.alone(), *recalled)))

    def believed(self) -> tuple[str, ...]:
        """Return what memory derived from the conversation, without the conversation itself."""
        return (
            *analysis.sentences(self.state.summary),
            *(f"{key}: {value}" for key, value in self.entities),
            *(each.text for each in self.memories),
        )

    def _recent_messages(self) -> Iterator[MemoryStatement]:
        for turn in self.state.recent:
            yield MemoryStatement(turn.message, turn.at)
            if turn.reply and not turn.by_rule:
                yield MemoryStatement(turn.reply, turn.at)


def size(memory: tuple[MemoryStatement, ...], entities: tuple[tuple[str, str], ...]) -> int:
    """Count the tokens of a memory."""
    lines = [each.text for each in memory] + [f"{key}: {value}" for key, value in entities]
    return tokens.count("\n".join(lines)) if lines else 0


class MemorySnapshots:
    def __init__(self, preview: Preview, recall: Recall, clock: Clock) -> None:
        self._preview = preview
        self._recall = recall
        self._clock = clock

    async def of(self, caller: Caller, session: UUID | None, query: str) -> MemorySnapshot:
        """Return the caller's memory for a query. Raises NotFound for an unknown session."""
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
        started = time.monotonic()
        recollection = await self._recall.recall(request)
        return MemorySnapshot(state, recollection, time.monotonic() - started)
