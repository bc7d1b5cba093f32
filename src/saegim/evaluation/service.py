"""Judges what memory has for a query of a conversation (EV1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from saegim.domain.scope import Caller
from saegim.evaluation.judge import judge
from saegim.evaluation.types import Fact, Judgement, Subject
from saegim.evaluation.view import MemoryViews, size
from saegim.steps.run import Steps
from saegim.usage.calls import Source


@dataclass(frozen=True, slots=True)
class Judged:
    """A judgement, who made it, and how many tokens of memory it is about."""

    judgement: Judgement
    by: Source
    tokens: int


class Evaluation:
    def __init__(self, views: MemoryViews, steps: Steps) -> None:
        self._views = views
        self._steps = steps

    async def judge(
        self, caller: Caller, session: UUID, query: str, facts: Sequence[Fact] = ()
    ) -> Judged:
        """Whether memory, recall included, helps with a query. Raises NotFound, and
        ModelUnavailable where a judge is set and fails."""
        view = await self._views.of(caller, session, query)
        memory = view.with_recall()
        subject = Subject(query, memory, view.entities, facts)
        judgement, call = await judge(self._steps, subject)
        by = Source.TWIN if call is None else call.source
        return Judged(judgement, by, size(memory, view.entities))
