"""The model calls of one turn: so many and no more, all within its deadline."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass

from pydantic import BaseModel

from saegim.llm.model_call import Fault, ModelCall, Source
from saegim.llm.ports import ModelRole
from saegim.llm.steps import Steps
from saegim.llm.types import StepEnd, StepPrompt, StructuredStep, TextDelta, TextStep

MOST_CALLS = 6
# The last call is the answer's, whatever the steps before it take.
KEPT = 1


@dataclass(slots=True)
class Allowance:
    """Runs a turn's steps. When `calls` are used up or the time is, twins do what is left.

    `note` hears of every call; `answer_seconds` stay back from every step but the last, so that
    whatever the others take, there is time to answer.
    """

    steps: Steps
    deadline: float
    note: Callable[[ModelCall], None]
    calls: int = MOST_CALLS
    answer_seconds: float = 8.0
    step_seconds: float = 6.0

    def left(self) -> float:
        """Seconds until the time begins that is kept for the answer."""
        return max(0.0, self.deadline - self.answer_seconds - self.steps.now())

    def has(self, role: ModelRole) -> bool:
        """Whether a model plays the role and may still be asked."""
        return self.calls > KEPT and self.steps.has(role)

    async def structured[T: BaseModel](
        self, step: StructuredStep[T], prompt: StepPrompt, twin: Callable[[], T]
    ) -> T:
        """The form as the model or the twin filled it in."""
        if self.calls <= KEPT:
            return twin()
        deadline = min(self.deadline - self.answer_seconds, self.steps.now() + self.step_seconds)
        result = await self.steps.structured(step, prompt, twin, deadline, self.note)
        self._used(result.call)
        return result.value

    async def stream(
        self, step: TextStep, prompt: StepPrompt, twin: Callable[[], str]
    ) -> AsyncGenerator[TextDelta | StepEnd]:
        """The answer's text; the last step of a turn, with all the time that is left."""
        stream = self.steps.stream(step, prompt, twin, self.deadline, self.note)
        async with aclosing(stream) as pieces:
            async for piece in pieces:
                if isinstance(piece, StepEnd):
                    self._used(piece.call)
                yield piece

    def _used(self, call: ModelCall) -> None:
        self.note(call)
        if call.source is Source.MODEL or call.fault is not Fault.NOT_CONFIGURED:
            self.calls -= 1
