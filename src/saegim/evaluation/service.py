"""Judge how well memory helps with a query of a session."""

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
    """A judgement, its source, and the tokens of the judged memory."""

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
        """Judge memory, recall included, for a query; the call counts against the caller's budget.

        Raises NotFound, LimitReached, and ModelUnavailable when the configured judge fails."""
        view = await self._views.of(caller, session, query)
        memory = view.with_recall()
        subject = JudgedMemory(query, memory, view.entities, facts)
        reservation, calls = uuid4(), list[ModelCall]()
        await self._spending.reserve(caller, reservation)
        try:
            steps = await self._steps.for_tenant(caller.scope.tenant)
            judgement, call = await judge(steps, subject, calls.append)
            calls += [call] if call is not None else []
        finally:
            await self._spending.settle(caller.scope, reservation, calls)
        by = CallSource.FALLBACK if call is None else call.source
        return EvaluationResult(judgement, by, size(memory, view.entities))
