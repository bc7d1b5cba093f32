"""How a model step runs: ask the role's model in time, else the twin, and say what happened; and
how many steps a turn may take."""

import asyncio
import re
import time
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from uuid import UUID

from pydantic import BaseModel

from saegim.domain.errors import ModelRefused, ModelUnavailable
from saegim.llm.metering import Breaker, CallMeter, TimeLimit, note_call
from saegim.llm.model_call import CallSource, ModelCall, ModelFault, StepFault
from saegim.llm.ports import CallBudget, ModelRole, Models, OpenGate, ProviderGate, RoleModel
from saegim.llm.types import (
    Message,
    StepEnd,
    StepPath,
    StepPrompt,
    StepResult,
    StructuredStep,
    TextDelta,
    TextStep,
)
from saegim.text.tokens import SuffixSource, random_suffix

FALLBACK_MARGIN_SECONDS = 0.5
"""Kept back from a deadline, so that the twin can still answer when the model did not."""


def ignore(_: ModelCall) -> None:
    """Hears of a call and does nothing with it."""


class Steps:
    """Runs the model steps of every feature.

    `deadline` is an instant of the clock `now`, or None where only the role's timeout counts.
    """

    def __init__(
        self,
        models: Models,
        now: Callable[[], float] = time.monotonic,
        gate: ProviderGate | None = None,
        note: Callable[[ModelCall], None] = ignore,
        budget: CallBudget | None = None,
        suffix: SuffixSource = random_suffix,
    ) -> None:
        """`note` hears of every call, whoever asked for it; `suffix` ends the tags of a prompt."""
        self._models = models
        self._now = now
        self._gate = gate or OpenGate()
        self._note = note
        self._budget = budget
        self._suffix = suffix
        self._payer: UUID | None = None
        self._breakers = {role: Breaker(now) for role in ModelRole}

    def without_strong(self) -> "Steps":
        """The same steps where the lite model plays the strong one's part too."""
        breakers = {**self._breakers, ModelRole.STRONG: self._breakers[ModelRole.LITE]}
        return self._with(WithoutStrong(self._models), breakers, self._payer)

    def charged_to(self, tenant: UUID) -> "Steps":
        """The same steps, each call of which counts in a tenant's budget and waits for it."""
        return self._with(self._models, self._breakers, tenant)

    def by_rule(self) -> "Steps":
        """The same steps without any model: the rule-based fallback does them all."""
        return self._with(NoModels(), self._breakers, self._payer)

    def _with(
        self, models: Models, breakers: dict[ModelRole, Breaker], payer: UUID | None
    ) -> "Steps":
        other = Steps(models, self._now, self._gate, self._note, self._budget, self._suffix)
        other._breakers, other._payer = breakers, payer
        return other

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
        fallback: Callable[[], T],
        deadline: float | None,
        unfinished: Callable[[ModelCall], None] = ignore,
    ) -> StepResult[T]:
        """The form as the model, or on the reply path its twin, filled it in.

        `unfinished` hears of a call that ends without a result: cancelled, or failed for good."""
        prompt = prompt.with_tags(self._suffix())
        meter = CallMeter(step.name, step.role, prompt, self._now)
        if not self.has(step.role):
            return StepResult(fallback(), await self._not_configured(meter))
        from saegim.llm import calls, faults  # noqa: PLC0415 - not for those who run offline

        try:
            await self._pass_gate(step.role, meter)
            with self._asking(step.role, deadline, meter) as (role, limit):
                value = await calls.ask_structured(role, step, prompt, limit, meter)
        except faults.PROVIDER_ERRORS as error:
            fault = await self._fault_for_fallback(step, error, meter, unfinished)
        except asyncio.CancelledError:
            await self._stopped(meter, "", unfinished)
            raise
        else:
            return StepResult(value, await self._count(meter, meter.model_call(_json(value))))
        return StepResult(fallback(), await self._count(meter, meter.fallback_call(fault)))

    async def stream(
        self,
        step: TextStep,
        prompt: StepPrompt,
        fallback: Callable[[], str],
        deadline: float | None,
        unfinished: Callable[[ModelCall], None] = ignore,
    ) -> AsyncGenerator[TextDelta | StepEnd]:
        """The text piece by piece, then its `StepEnd`. Closing it early closes the request;
        `unfinished` hears of such a call."""
        prompt = prompt.with_tags(self._suffix())
        meter = CallMeter(step.name, step.role, prompt, self._now)
        if not self.has(step.role):
            text = fallback()
            meter.first_token()
            yield TextDelta(text)
            yield StepEnd(await self._not_configured(meter), complete=True)
            return
        from saegim.llm import calls, faults  # noqa: PLC0415 - not for those who run offline

        shown: list[str] = []
        failure: Exception | None = None
        try:
            await self._pass_gate(step.role, meter)
            with self._asking(step.role, deadline, meter) as (role, limit):
                async with aclosing(calls.ask_text(role, step, prompt, limit, meter)) as pieces:
                    async for piece in pieces:
                        meter.first_token()
                        shown.append(piece)
                        yield TextDelta(piece)
        except faults.PROVIDER_ERRORS as error:
            failure = error
        except (asyncio.CancelledError, GeneratorExit):
            await self._stopped(meter, "".join(shown), unfinished)
            raise
        if failure is None:
            call = await self._count(meter, meter.model_call("".join(shown)))
            yield StepEnd(call, complete=True)
        elif shown and step.path is StepPath.REPLY:
            broken = meter.model_call("".join(shown), faults.fault_of(failure))
            yield StepEnd(await self._count(meter, broken), complete=False)
        else:
            fault = await self._fault_for_fallback(step, failure, meter, unfinished)
            text = fallback()
            meter.first_token()
            yield TextDelta(text)
            yield StepEnd(await self._count(meter, meter.fallback_call(fault)), complete=True)

    async def _not_configured(self, meter: CallMeter) -> ModelCall:
        """The call of a step for which there is no model."""
        return await self._count(meter, meter.fallback_call(ModelFault.NOT_CONFIGURED))

    async def _pass_gate(self, role: ModelRole, meter: CallMeter) -> None:
        """Raises StepFault where the tenant's budget or the provider's own limit is reached."""
        configured = self._models.for_role(role)
        if configured is None:
            return
        if self._budget is not None and self._payer is not None:
            if not await self._budget.reserve_call(self._payer):
                raise StepFault(ModelFault.LIMIT_REACHED)
            meter.charged_to = self._payer
        if not await self._gate.admits(configured.model.system):
            raise StepFault(ModelFault.LIMIT_REACHED)
        meter.provider = configured.model.system

    async def _stopped(
        self, meter: CallMeter, shown: str, unfinished: Callable[[ModelCall], None]
    ) -> None:
        """Counts a call that nobody waits for any more: what was asked and written is used."""
        if meter.model is not None:
            call = meter.model_call(shown, ModelFault.STOPPED)
            unfinished(call)
            await self._count(meter, call)

    async def _count(self, meter: CallMeter, call: ModelCall) -> ModelCall:
        """Counts a call, once, wherever it is to be counted."""
        if meter.provider is not None:
            await self._gate.used(meter.provider, call)
        if self._budget is not None and meter.charged_to is not None:
            await self._budget.settle_call(meter.charged_to, call)
        self._note(call)
        if meter.model is not None:
            note_call(call, meter.model.system, meter.model.model_name)
        return call

    async def _fault_for_fallback[T: BaseModel](
        self,
        step: StructuredStep[T] | TextStep,
        error: Exception,
        meter: CallMeter,
        unfinished: Callable[[ModelCall], None],
    ) -> ModelFault:
        """Why the twin works. In the background it does so only where there is no model at all."""
        from saegim.llm.faults import fault_of, refuses_request  # noqa: PLC0415 - as above

        fault = fault_of(error)
        if step.path is StepPath.BACKGROUND and fault is not ModelFault.NOT_CONFIGURED:
            call = meter.failed_call(fault)
            unfinished(call)
            await self._count(meter, call)
            kind = ModelRefused if refuses_request(error) else ModelUnavailable
            raise kind(f"{step.name}: {fault.value}") from error
        return fault

    @contextmanager
    def _asking(
        self, role: ModelRole, deadline: float | None, meter: CallMeter
    ) -> Generator[tuple[RoleModel, TimeLimit]]:
        """The role's model and its time, if it may be asked; its breaker learns the outcome."""
        from saegim.llm import faults  # noqa: PLC0415 - as above

        configured = self._models.for_role(role)
        if configured is None:
            raise StepFault(ModelFault.NOT_CONFIGURED)
        limit = self._limit(configured, deadline)
        if limit.left() <= 0:
            raise StepFault(ModelFault.TIMEOUT)
        breaker = self._breakers[role]
        if not breaker.admits():
            raise StepFault(ModelFault.CIRCUIT_OPEN)
        meter.model = configured.model
        try:
            yield configured, limit
        except faults.PROVIDER_ERRORS as error:
            if faults.blames_provider(error):
                breaker.failed()
            raise
        breaker.succeeded()

    def _limit(self, role: RoleModel, deadline: float | None) -> TimeLimit:
        end = self._now() + role.timeout_seconds
        if deadline is not None:
            end = min(end, deadline - FALLBACK_MARGIN_SECONDS)
        return TimeLimit(self._now, end)


def _json(value: BaseModel) -> str:
    return value.model_dump_json()


class NoModels:
    """Models of which there is none."""

    def for_role(self, role: ModelRole) -> RoleModel | None:  # noqa: ARG002 - the port's signature
        return None


class WithoutStrong:
    """Models of which none is the strong one: the lite model does its work."""

    def __init__(self, models: Models) -> None:
        self._models = models

    def for_role(self, role: ModelRole) -> RoleModel | None:
        return self._models.for_role(ModelRole.LITE if role is ModelRole.STRONG else role)


MOST_CALLS = 6
# The last call is the answer's, whatever the steps before it take.
KEPT = 1


@dataclass(slots=True)
class TurnModelBudget:
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
        self, step: StructuredStep[T], prompt: StepPrompt, fallback: Callable[[], T]
    ) -> T:
        """The form as the model or the twin filled it in."""
        if self.calls <= KEPT:
            return fallback()
        deadline = min(self.deadline - self.answer_seconds, self.steps.now() + self.step_seconds)
        result = await self.steps.structured(step, prompt, fallback, deadline, self.note)
        self._used(result.call)
        return result.value

    async def stream(
        self, step: TextStep, prompt: StepPrompt, fallback: Callable[[], str]
    ) -> AsyncGenerator[TextDelta | StepEnd]:
        """The answer's text; the last step of a turn, with all the time that is left."""
        stream = self.steps.stream(step, prompt, fallback, self.deadline, self.note)
        async with aclosing(stream) as pieces:
            async for piece in pieces:
                if isinstance(piece, StepEnd):
                    self._used(piece.call)
                yield piece

    def _used(self, call: ModelCall) -> None:
        self.note(call)
        if call.source is CallSource.MODEL or call.fault is not ModelFault.NOT_CONFIGURED:
            self.calls -= 1


_FILE = re.compile(r"\A---\nversion: (?P<version>[1-9][0-9]*)\n---\n(?P<text>.*)\Z", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{\{([a-z][a-z0-9_]*)\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt file. `{{name}}` stands for a value; any other brace is text."""

    name: str
    version: int
    text: str

    @property
    def label(self) -> str:
        """How traces name it, such as `answer/3`."""
        return f"{self.name}/{self.version}"

    def render(self, **values: str) -> str:
        """The text with every placeholder filled, each value once and as it is."""
        return self._filled(values)

    def step(self, messages: tuple[Message, ...], **values: str) -> StepPrompt:
        """The rendered prompt as a step's system text, before these messages."""
        return StepPrompt(system=self._filled(values), messages=messages, version=self.label)

    def _filled(self, values: Mapping[str, str]) -> str:
        wanted = set(_PLACEHOLDER.findall(self.text))
        missing, unused = wanted - values.keys(), values.keys() - wanted
        if missing or unused:
            raise ValueError(
                f"prompt {self.label}: missing {sorted(missing)}, unused {sorted(unused)}"
            )
        return _PLACEHOLDER.sub(lambda match: values[match[1]], self.text)


@cache
def load(package: str, name: str) -> Prompt:
    """The prompt `prompts/NAME.md` of a package."""
    source = (files(package) / "prompts" / f"{name}.md").read_text("utf-8")
    match = _FILE.match(source.replace("\r\n", "\n"))
    if match is None:
        raise ValueError(f"prompt {package}/{name} must begin with ---, version: N, ---")
    return Prompt(name=name, version=int(match["version"]), text=match["text"].strip())
