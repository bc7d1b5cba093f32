"""Judges what memory has for a query of a conversation (EV1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from saegim.domain.scope import Caller
from saegim.evaluation.judge import judge
from saegim.evaluation.memory_view import MemorySnapshots, size
from saegim.evaluation.types import ExpectedFact, JudgedMemory, Judgement
from saegim.llm.model_call import CallSource, ModelCall
from saegim.llm.steps import Steps
from saegim.quotas.service import RateLimiter


@dataclass(frozen=True, slots=True)
class EvaluationResult:
    """A judgement, who made it, and how many tokens of memory it is about."""

    judgement: Judgement
    by: CallSource
    tokens: int


class Evaluation:
    def __init__(self, views: MemorySnapshots, steps: Steps, spending: RateLimiter) -> None:
        self._views = views
        self._steps = steps
        self._spending = spending

    async def judge(
        self, caller: Caller, session: UUID, query: str, facts: Sequence[ExpectedFact] = ()
    ) -> EvaluationResult:
        """Whether memory, recall included, helps with a query. Counts in the caller's budget.

        Raises NotFound, LimitReached, and ModelUnavailable where a judge is set and fails."""
        view = await self._views.of(caller, session, query)
        memory = view.with_recall()
        subject = JudgedMemory(query, memory, view.entities, facts)
        judgement, call = await self._judge(caller, subject)
        by = CallSource.FALLBACK if call is None else call.source
        return EvaluationResult(judgement, by, size(memory, view.entities))

    async def _judge(
        self, caller: Caller, subject: JudgedMemory
    ) -> tuple[Judgement, ModelCall | None]:
        reserved, calls = uuid4(), list[ModelCall]()
        await self._spending.reserve(caller, reserved)
        try:
            judgement, call = await judge(self._steps, subject, calls.append)
            calls += [call] if call is not None else []
        finally:
            await self._spending.settle(caller.scope, reserved, calls)
        return judgement, call
