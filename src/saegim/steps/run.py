"""How a model step runs: ask the role's model in time, else the twin, and say what happened."""

import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import aclosing, contextmanager

from pydantic import BaseModel

from saegim.domain.errors import ModelUnavailable
from saegim.steps.asking import TimeLimit, ask_structured, ask_text
from saegim.steps.breaker import Breaker
from saegim.steps.faults import PROVIDER_ERRORS, StepFault, blames_provider, fault_of
from saegim.steps.meter import Meter
from saegim.steps.ports import ModelRole, Models, OpenGate, ProviderGate, RoleModel
from saegim.steps.types import (
    StepEnd,
    StepPath,
    StepPrompt,
    StepResult,
    StructuredStep,
    TextDelta,
    TextStep,
)
from saegim.usage import spans
from saegim.usage.calls import Fault, ModelCall

TWIN_MARGIN_SECONDS = 0.5
"""Kept back from a deadline, so that the twin can still answer when the model did not."""


class Steps:
    """Runs the model steps of every feature.

    `deadline` is an instant of the clock `now`, or None where only the role's timeout counts.
    """

    def __init__(
        self,
        models: Models,
        now: Callable[[], float] = time.monotonic,
        gate: ProviderGate | None = None,
        note: Callable[[ModelCall], None] = lambda _: None,
    ) -> None:
        """`note` hears of every call, whoever asked for it."""
        self._models = models
        self._now = now
        self._gate = gate or OpenGate()
        self._note = note
        self._breakers = {role: Breaker(now) for role in ModelRole}

    def without_strong(self) -> "Steps":
        """The same steps where the lite model plays the strong one's part too."""
        lite = Steps(WithoutStrong(self._models), self._now, self._gate, self._note)
        lite._breakers = {**self._breakers, ModelRole.STRONG: self._breakers[ModelRole.LITE]}
        return lite

    def now(self) -> float:
        """The instant on the clock of deadlines."""
        return self._now()

    def has(self, role: ModelRole) -> bool:
        """Whether a model plays the role."""
        return self._models.for_role(role) is not None

    async def structured[T: BaseModel](
        self,
        step: StructuredStep[T],
        prompt: StepPrompt,
        twin: Callable[[], T],
        deadline: float | None,
    ) -> StepResult[T]:
        """The form as the model, or on the reply path its twin, filled it in."""
        meter = Meter(step.name, step.role, prompt, self._now)
        try:
            await self._pass_gate(step.role)
            with self._asking(step.role, deadline, meter) as (role, limit):
                value = await ask_structured(role, step, prompt, limit, meter)
        except PROVIDER_ERRORS as error:
            fault = self._fault_for_twin(step, error, meter)
        else:
            return StepResult(value, await self._counted(meter, value.model_dump_json()))
        return StepResult(twin(), self._noted(meter, meter.twin_call(fault)))

    async def stream(
        self,
        step: TextStep,
        prompt: StepPrompt,
        twin: Callable[[], str],
        deadline: float | None,
    ) -> AsyncGenerator[TextDelta | StepEnd]:
        """The text piece by piece, then its `StepEnd`. Closing it early closes the request."""
        meter = Meter(step.name, step.role, prompt, self._now)
        shown: list[str] = []
        failure: Exception | None = None
        try:
            await self._pass_gate(step.role)
            with self._asking(step.role, deadline, meter) as (role, limit):
                async with aclosing(ask_text(role, step, prompt, limit, meter)) as pieces:
                    async for piece in pieces:
                        meter.first_token()
                        shown.append(piece)
                        yield TextDelta(piece)
        except PROVIDER_ERRORS as error:
            failure = error
        if failure is None:
            yield StepEnd(await self._counted(meter, "".join(shown)), complete=True)
        elif shown and step.path is StepPath.REPLY:
            call = await self._counted(meter, "".join(shown), fault_of(failure))
            yield StepEnd(call, complete=False)
        else:
            fault = self._fault_for_twin(step, failure, meter)
            text = twin()
            meter.first_token()
            yield TextDelta(text)
            yield StepEnd(self._noted(meter, meter.twin_call(fault)), complete=True)

    async def _pass_gate(self, role: ModelRole) -> None:
        """Raises StepFault where the provider's own limit is reached."""
        configured = self._models.for_role(role)
        if configured is not None and not await self._gate.admits(configured.model.system):
            raise StepFault(Fault.LIMIT_REACHED)

    async def _counted(self, meter: Meter, output: str, fault: Fault | None = None) -> ModelCall:
        call = meter.model_call(output, fault)
        if meter.model is not None:
            await self._gate.used(meter.model.system, call)
        return self._noted(meter, call)

    def _noted(self, meter: Meter, call: ModelCall) -> ModelCall:
        self._note(call)
        if meter.model is not None:
            spans.note_call(call, meter.model.system, meter.model.model_name)
        return call

    def _fault_for_twin[T: BaseModel](
        self, step: StructuredStep[T] | TextStep, error: Exception, meter: Meter
    ) -> Fault:
        """Why the twin works. In the background it does so only where there is no model at all."""
        fault = fault_of(error)
        if step.path is StepPath.BACKGROUND and fault is not Fault.NOT_CONFIGURED:
            self._noted(meter, meter.failed_call(fault))
            raise ModelUnavailable(f"{step.name}: {fault.value}") from error
        return fault

    @contextmanager
    def _asking(
        self, role: ModelRole, deadline: float | None, meter: Meter
    ) -> Generator[tuple[RoleModel, TimeLimit]]:
        """The role's model and its time, if it may be asked; its breaker learns the outcome."""
        configured = self._models.for_role(role)
        if configured is None:
            raise StepFault(Fault.NOT_CONFIGURED)
        limit = self._limit(configured, deadline)
        if limit.left() <= 0:
            raise StepFault(Fault.TIMEOUT)
        breaker = self._breakers[role]
        if not breaker.admits():
            raise StepFault(Fault.CIRCUIT_OPEN)
        meter.model = configured.model
        try:
            yield configured, limit
        except PROVIDER_ERRORS as error:
            if blames_provider(error):
                breaker.failed()
            raise
        breaker.succeeded()

    def _limit(self, role: RoleModel, deadline: float | None) -> TimeLimit:
        end = self._now() + role.timeout_seconds
        if deadline is not None:
            end = min(end, deadline - TWIN_MARGIN_SECONDS)
        return TimeLimit(self._now, end)


class WithoutStrong:
    """Models of which none is the strong one: the lite model does its work."""

    def __init__(self, models: Models) -> None:
        self._models = models

    def for_role(self, role: ModelRole) -> RoleModel | None:
        return self._models.for_role(ModelRole.LITE if role is ModelRole.STRONG else role)
