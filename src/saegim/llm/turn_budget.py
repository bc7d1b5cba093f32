"""Bounds the model steps of a turn: calls and time."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace

from pydantic import BaseModel

from saegim.llm.model_call import CallSource, ModelCall, ModelFault
from saegim.llm.ports import ModelRole
from saegim.llm.steps import Steps
from saegim.llm.types import (
    DEFAULT_SAMPLING,
    FIRST_TOKEN_SECONDS,
    SamplingParameters,
    StepEnd,
    StepPrompt,
    StructuredStep,
    TextDelta,
    TextStep,
)

MOST_CALLS = 6
# A slow model writes 5 to 20 tokens a second; a weak one does not find the end.
SLOW_ANSWER_TOKENS = 400
# Calls reserved for the answer.
RESERVED_CALLS = 1


@dataclass(slots=True)
class TurnModelBudget:
    """Runs a turn's steps; fallbacks do the rest once `calls` or the time are used up.

    `note` gets every call; `answer_seconds` are reserved for the last step, the answer.
    """

    steps: Steps
    deadline: float
    note: Callable[[ModelCall], None]
    calls: int = MOST_CALLS
    answer_seconds: float = 8.0
    step_seconds: float = 6.0
    first_token_seconds: float = FIRST_TOKEN_SECONDS
    sampling: SamplingParameters = DEFAULT_SAMPLING
    asks_once: bool = False
    """The answer is the only call: a slow model takes too long for the steps before it."""

    def left(self) -> float:
        """Return the seconds until the time reserved for the answer."""
        return max(0.0, self.deadline - self.answer_seconds - self.steps.now())

    def step_left(self) -> float:
        """Return the seconds that the next step may take."""
        return min(self.step_seconds, self.left())

    def has(self, role: ModelRole) -> bool:
        """Return whether the role has a model and calls are left."""
        return self.calls > RESERVED_CALLS and self.steps.has(role)

    def may_ask(self, role: ModelRole) -> bool:
        """Return whether a step before the answer may call the role's model."""
        return not self.asks_once and self.has(role)

    async def structured[T: BaseModel](
        self, step: StructuredStep[T], prompt: StepPrompt, fallback: Callable[[], T]
    ) -> T:
        """Return the structured output of the model or the fallback."""
        if self.asks_once or self.calls <= RESERVED_CALLS:
            return fallback()
        deadline = min(self.deadline - self.answer_seconds, self.steps.now() + self.step_seconds)
        result = await self.steps.structured(step, prompt, fallback, deadline, self.note)
        self._used(result.call)
        return result.value

    async def stream(
        self, step: TextStep, prompt: StepPrompt, fallback: Callable[[], str]
    ) -> AsyncGenerator[TextDelta | StepEnd]:
        """Stream the answer, the last step of a turn, with all the time that is left."""
        most = SLOW_ANSWER_TOKENS if self.asks_once else step.max_output_tokens
        limited = replace(
            step,
            first_token_seconds=self.first_token_seconds,
            max_output_tokens=most,
            sampling=self.sampling,
        )
        stream = self.steps.stream(limited, prompt, fallback, self.deadline, self.note)
        async with aclosing(stream):
            async for piece in stream:
                if isinstance(piece, StepEnd):
                    self._used(piece.call)
                yield piece

    def _used(self, call: ModelCall) -> None:
        self.note(call)
        if call.source is CallSource.MODEL or call.fault is not ModelFault.NOT_CONFIGURED:
            self.calls -= 1
