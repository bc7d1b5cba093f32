"""Runs model steps with their fallbacks, and bounds those of a turn: calls and time."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Generator, Iterable
from contextlib import aclosing, contextmanager
from copy import copy
from dataclasses import dataclass, replace
from uuid import UUID
from weakref import WeakKeyDictionary

from pydantic import BaseModel, ValidationError

from saegim.domain.errors import ModelRefused, ModelUnavailable
from saegim.llm.metering import Breaker, CallMeter, TimeLimit, import_clients, note_call
from saegim.llm.model_call import CallSource, FaultDetail, ModelCall, ModelFault, StepFault
from saegim.llm.model_config import host_of
from saegim.llm.ports import (
    EVERYTHING,
    CallBudget,
    ChosenModel,
    EgressPolicy,
    ModelRole,
    Models,
    NameFinder,
    ProviderGate,
    RoleModel,
    TenantModels,
    TimeLimits,
)
from saegim.llm.pseudonyms import Pseudonyms, RestoringStream
from saegim.llm.types import (
    DEFAULT_SAMPLING,
    FIRST_TOKEN_SECONDS,
    FunctionCall,
    SamplingParameters,
    StepEnd,
    StepPath,
    StepPrompt,
    StepResult,
    StructuredStep,
    TextDelta,
    TextStep,
)
from saegim.text.tokens import SuffixSource, random_suffix

log = logging.getLogger(__name__)

PAUSE_SECONDS = 60.0
_MOST_CAUSES = 1_000
# The message of a refused request may repeat the user's text, and logs have no content.
_WITH_CONTENT = frozenset({400, 413, 422})
# Not the provider's fault, or logged when it happened.
_QUIET = frozenset({ModelFault.CIRCUIT_OPEN, ModelFault.LIMIT_REACHED, ModelFault.NOT_CONFIGURED})


class FaultLog:
    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._logged: dict[tuple[str, str, str, int | None], float] = {}

    def note(self, role: ModelRole, model: RoleModel, detail: FaultDetail) -> None:
        """Log a failure with status and message, unless the same was logged within a minute."""
        if detail.fault in _QUIET:
            return
        host = host_of(model.model.base_url)
        cause = (host, model.model.model_name, detail.fault.value, detail.status)
        now = self._now()
        if now - self._logged.get(cause, -PAUSE_SECONDS) < PAUSE_SECONDS:
            return
        if len(self._logged) >= _MOST_CAUSES:
            self._logged.clear()
        self._logged[cause] = now
        hidden = detail.status in _WITH_CONTENT
        said = f"{detail.status} (message in the trace)" if hidden else str(detail)
        log.warning(
            "model %s at %s failed in role %s: %s: %s",
            model.model.model_name,
            host or "-",
            role.value,
            detail.fault.value,
            said,
        )


FALLBACK_MARGIN_SECONDS = 0.5
"""Reserved at the end of a deadline, so that the fallback still has time to answer."""

REFUSING_STATUS = (400, 404, 422)
"""Statuses of a request that a provider refuses for what it contains."""

ModelByRole = Callable[[ModelRole], RoleModel | None]


def may_refuse_tools(call: ModelCall) -> bool:
    """Return whether a server may have refused a request because of its tools."""
    # llama.cpp without a tool template answers with 500.
    refuses = call.status in REFUSING_STATUS or "tool" in (call.message or "").lower()
    return refuses and call.fault is ModelFault.HTTP_ERROR


def ignore(_: ModelCall) -> None:
    """Do nothing with a call."""


def no_names(_: str) -> Iterable[str]:
    """Find no names."""
    return ()


class Steps:
    """Runs the model steps of every feature.

    A `deadline` is a time on the clock `now`; None means only the role's timeout counts.
    """

    def __init__(  # noqa: PLR0913 - optional keywords
        self,
        models: Models,
        now: Callable[[], float] = time.monotonic,
        gate: ProviderGate | None = None,
        note: Callable[[ModelCall], None] = ignore,
        budget: CallBudget | None = None,
        suffix: SuffixSource = random_suffix,
        tenants: TenantModels | None = None,
        find_names: NameFinder = no_names,
    ) -> None:
        """`note` gets every call; `suffix` makes the tags of a prompt unguessable; `tenants` has
        the models that tenants connected themselves; `find_names` finds what leaves only as a
        placeholder to connections that use pseudonyms."""
        self._for_role: ModelByRole = models.for_role
        self._now = now
        self._gate = gate
        self._note = note
        self._budget = budget
        self._suffix = suffix
        self._tenants = tenants
        self._find_names = find_names
        self._names: frozenset[str] = frozenset()
        self._payer: UUID | None = None
        self._tenant: UUID | None = None
        self._breakers = {role: Breaker(now) for role in ModelRole}
        self._breakers_of = WeakKeyDictionary[Models, dict[ModelRole, Breaker]]()
        self._faults = FaultLog(now)

    async def for_tenant(self, tenant: UUID, answers: ChosenModel | None = None) -> "Steps":
        """Return the same steps with the models that the tenant connected, if there are any, and
        with a chosen one for the answers.

        Raises StoreUnavailable.
        """
        models = None if self._tenants is None else await self._tenants.models_of(tenant, answers)
        if models is None:
            return self._copy(self._for_role, self._breakers, self._payer, tenant)
        # A tenant's failing provider must not stop the models of others.
        if models not in self._breakers_of:
            self._breakers_of[models] = {role: Breaker(self._now) for role in ModelRole}
        return self._copy(models.for_role, self._breakers_of[models], self._payer, tenant)

    def slowest_limits(self, roles: Iterable[ModelRole]) -> TimeLimits | None:
        """Return the longest time limits of the roles' models; None if no model has its own."""
        models = filter(None, map(self._for_role, roles))
        limits = [model.limits for model in models if model.limits is not None]
        return max(limits, key=lambda each: each.turn, default=None)

    def without_strong(self) -> "Steps":
        """Return the same steps with the lite model in the strong role."""
        for_role = self._for_role
        return self._copy(
            lambda role: for_role(ModelRole.LITE if role is ModelRole.STRONG else role),
            {**self._breakers, ModelRole.STRONG: self._breakers[ModelRole.LITE]},
            self._payer,
        )

    def charged_to(self, tenant: UUID) -> "Steps":
        """Return the same steps, with every call charged to a tenant's budget."""
        return self._copy(self._for_role, self._breakers, tenant)

    def naming(self, names: Iterable[str]) -> "Steps":
        """Return the same steps with names that are replaced, beside those that prompts show."""
        other: Steps = copy(self)
        other._names = self._names | frozenset(names)
        return other

    def egress(self, roles: Iterable[ModelRole]) -> EgressPolicy:
        """Return what must not leave to any of the roles' models."""
        policy = EVERYTHING
        for model in filter(None, map(self._for_role, roles)):
            policy = policy.stricter(model.egress)
        return policy

    def unsupported(self, roles: Iterable[ModelRole]) -> frozenset[str] | None:
        """Return the settings that some of the roles' models do not take; None without models."""
        models = [model for role in roles if (model := self._for_role(role)) is not None]
        return frozenset[str]().union(*(each.unsupported for each in models)) if models else None

    def by_rule(self) -> "Steps":
        """Return the same steps without any model: every step uses its fallback."""
        return self._copy(lambda _: None, self._breakers, self._payer)

    def _copy(
        self,
        for_role: ModelByRole,
        breakers: dict[ModelRole, Breaker],
        payer: UUID | None,
        tenant: UUID | None = None,
    ) -> "Steps":
        other: Steps = copy(self)
        other._for_role, other._breakers, other._payer = for_role, breakers, payer
        other._tenant = tenant or self._tenant
        return other

    def now(self) -> float:
        """Return the time on the clock of deadlines."""
        return self._now()

    def has(self, role: ModelRole) -> bool:
        """Return whether the role has a model."""
        return self._for_role(role) is not None

    def takes_tools(self, role: ModelRole) -> bool:
        """Return whether the role's model may be offered tools."""
        model = self._for_role(role)
        if model is None or self._tenants is None:
            return model is not None and model.takes_tools
        return self._tenants.takes_tools(model)

    async def refuses_tools(self, role: ModelRole, call: ModelCall) -> bool:
        """Return whether a request failed because the role's model takes no tools, which is then
        stored; the model is asked to make sure."""
        model = self._for_role(role)
        if model is None or self._tenants is None or self._tenant is None:
            return False
        return may_refuse_tools(call) and await self._tenants.refuse_tools(self._tenant, model)

    async def structured[T: BaseModel](
        self,
        step: StructuredStep[T],
        prompt: StepPrompt,
        fallback: Callable[[], T],
        deadline: float | None,
        unfinished: Callable[[ModelCall], None] = ignore,
    ) -> StepResult[T]:
        """Return the structured output of the model, or on the reply path of the fallback.

        `unfinished` gets a call that ends without a result: cancelled or failed.
        """
        prompt = prompt.with_tags(self._suffix())
        meter = CallMeter(step.name, step.role, prompt, self._now)
        if not self.has(step.role):
            fault = ModelFault.NOT_CONFIGURED
            return StepResult(fallback(), await self._count(meter, meter.fallback_call(fault)))
        await import_clients()
        from saegim.llm import calls, faults  # noqa: PLC0415 - slow to import, unused offline

        try:
            await self._pass_gate(step.role, meter)
            with self._asking(step.role, deadline, meter) as (role, limit):
                names = self._pseudonyms(role, prompt)
                hidden = prompt if names is None else names.hidden(prompt)
                meter.pseudonyms = 0 if names is None else len(names)
                value = await calls.ask_structured(role, step, hidden, limit, meter)
            value = value if names is None else _restored(names, value)
        except faults.PROVIDER_ERRORS as error:
            fault = await self._fault_for_fallback(step, error, meter, unfinished)
        except asyncio.CancelledError:
            await self._stopped(meter, "", unfinished)
            raise
        else:
            call = meter.model_call(value.model_dump_json())
            return StepResult(value, await self._count(meter, call))
        return StepResult(fallback(), await self._count(meter, meter.fallback_call(fault)))

    async def stream(
        self,
        step: TextStep,
        prompt: StepPrompt,
        fallback: Callable[[], str],
        deadline: float | None,
        unfinished: Callable[[ModelCall], None] = ignore,
    ) -> AsyncGenerator[TextDelta | StepEnd]:
        """Yield the text piece by piece, then its `StepEnd`.

        Closing it early closes the request; `unfinished` gets such a call.
        """
        prompt = prompt.with_tags(self._suffix())
        meter = CallMeter(step.name, step.role, prompt, self._now)
        if not self.has(step.role):
            for piece in await self._fallback_text(fallback, ModelFault.NOT_CONFIGURED, meter):
                yield piece
            return
        await import_clients()
        from saegim.llm import faults  # noqa: PLC0415 - slow to import, unused offline

        shown: list[str] = []
        calls: list[FunctionCall] = []
        failure: Exception | None = None
        try:
            await self._pass_gate(step.role, meter)
            with self._asking(step.role, deadline, meter) as (role, limit):
                async with aclosing(self._text(role, step, prompt, limit, meter)) as pieces:
                    async for piece in pieces:
                        if isinstance(piece, FunctionCall):
                            calls.append(piece)
                            continue
                        meter.first_token()
                        shown.append(piece)
                        yield TextDelta(piece)
        except faults.PROVIDER_ERRORS as error:
            failure = error
        except (asyncio.CancelledError, GeneratorExit):
            await self._stopped(meter, "".join(shown), unfinished)
            raise
        if failure is None:
            written = "".join((*shown, *(each.arguments for each in calls)))
            call = await self._count(meter, meter.model_call(written))
            yield StepEnd(call, complete=not meter.reached_limit, calls=tuple(calls))
        elif shown and step.path is StepPath.REPLY:
            self._describe(step.role, failure, meter)
            broken = meter.model_call("".join(shown), faults.fault_of(failure))
            yield StepEnd(await self._count(meter, broken), complete=False)
        else:
            fault = await self._fault_for_fallback(step, failure, meter, unfinished)
            for piece in await self._fallback_text(fallback, fault, meter):
                yield piece

    async def _text(
        self,
        role: RoleModel,
        step: TextStep,
        prompt: StepPrompt,
        limit: TimeLimit,
        meter: CallMeter,
    ) -> AsyncGenerator[str | FunctionCall]:
        """Stream a model's text and its calls, with the names that left as placeholders."""
        from saegim.llm import calls  # noqa: PLC0415 - as above

        names = self._pseudonyms(role, prompt)
        hidden = prompt if names is None else names.hidden(prompt)
        meter.pseudonyms = 0 if names is None else len(names)
        restoring, wanted = RestoringStream(names or Pseudonyms()), list[FunctionCall]()
        async with aclosing(calls.ask_text(role, step, hidden, limit, meter)) as pieces:
            async for piece in pieces:
                if isinstance(piece, FunctionCall):
                    wanted.append(piece)
                elif text := restoring.feed(piece):
                    yield text
        if rest := restoring.end():
            yield rest
        for call in wanted:
            yield call if names is None else names.restored_call(call)

    def _pseudonyms(self, role: RoleModel, prompt: StepPrompt) -> Pseudonyms | None:
        """Return placeholders for the names in a prompt, if the connection gets no names."""
        if not role.egress.uses_pseudonyms:
            return None
        names = self._names.union(*map(self._find_names, prompt.texts))
        return Pseudonyms(names, prompt.key)

    async def _fallback_text(
        self, fallback: Callable[[], str], fault: ModelFault, meter: CallMeter
    ) -> tuple[TextDelta, StepEnd]:
        text = TextDelta(fallback())
        meter.first_token()
        return text, StepEnd(await self._count(meter, meter.fallback_call(fault)), complete=True)

    async def _pass_gate(self, role: ModelRole, meter: CallMeter) -> None:
        """Raise StepFault if the tenant's budget or the provider's rate limit is reached."""
        configured = self._for_role(role)
        if configured is None:
            return
        if self._budget is not None and self._payer is not None:
            if not await self._budget.reserve_call(self._payer):
                raise StepFault(ModelFault.LIMIT_REACHED)
            meter.charged_to = self._payer
        if self._gate and not await self._gate.admits(configured.model.system):
            raise StepFault(ModelFault.LIMIT_REACHED)
        meter.provider = configured.model.system

    async def _stopped(
        self, meter: CallMeter, shown: str, unfinished: Callable[[ModelCall], None]
    ) -> None:
        """Count an abandoned call with the tokens it used so far."""
        if meter.model is not None:
            call = meter.model_call(shown, ModelFault.STOPPED)
            unfinished(call)
            await self._count(meter, call)

    async def _count(self, meter: CallMeter, call: ModelCall) -> ModelCall:
        """Count a call in rate limits, budgets and traces."""
        if self._gate and meter.provider is not None:
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
        """Return why the fallback runs; in the background, raise unless there is no model."""
        from saegim.llm.faults import fault_of, refuses_request  # noqa: PLC0415 - as above

        fault = fault_of(error)
        self._describe(step.role, error, meter)
        if step.path is StepPath.BACKGROUND and fault is not ModelFault.NOT_CONFIGURED:
            call = meter.failed_call(fault)
            unfinished(call)
            await self._count(meter, call)
            kind = ModelRefused if refuses_request(error) else ModelUnavailable
            status = f" {meter.detail.status}" if meter.detail and meter.detail.status else ""
            raise kind(f"{step.name}: {fault.value}{status}") from error
        return fault

    def _describe(self, role: ModelRole, error: Exception, meter: CallMeter) -> None:
        """Put the provider's status and message into the call and the log."""
        from saegim.llm.faults import describe  # noqa: PLC0415 - as above

        configured = self._for_role(role)
        if configured is not None:
            meter.detail = describe(error, configured.api_key)
            self._faults.note(role, configured, meter.detail)

    @contextmanager
    def _asking(
        self, role: ModelRole, deadline: float | None, meter: CallMeter
    ) -> Generator[tuple[RoleModel, TimeLimit]]:
        """Yield the role's model and its time limit, and report the outcome to its breaker.

        Raises StepFault if the model may not be called.
        """
        from saegim.llm import faults  # noqa: PLC0415 - as above

        configured = self._for_role(role)
        if configured is None:
            raise StepFault(ModelFault.NOT_CONFIGURED)
        limit = self._limit(configured, deadline)
        if limit.left() <= 0:
            raise StepFault(ModelFault.TIMEOUT)
        breaker = self._breakers[role]
        if not breaker.admits():
            raise StepFault(ModelFault.CIRCUIT_OPEN, breaker.cause)
        meter.model, meter.connection = configured.model, configured.connection
        try:
            yield configured, limit
        except faults.PROVIDER_ERRORS as error:
            if faults.blames_provider(error):
                breaker.failed(faults.describe(error, configured.api_key))
            else:
                breaker.succeeded()
            raise
        breaker.succeeded()

    def _limit(self, role: RoleModel, deadline: float | None) -> TimeLimit:
        end = self._now() + role.timeout_seconds
        if deadline is not None:
            end = min(end, deadline - FALLBACK_MARGIN_SECONDS)
        return TimeLimit(self._now, end)


def _restored[T: BaseModel](names: Pseudonyms, value: T) -> T:
    """Return an output with the names again. Raises StepFault if it is too long with them."""
    try:
        return names.restored_output(value)
    except ValidationError as error:
        raise StepFault(ModelFault.BROKEN_OUTPUT) from error


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

    @property
    def has_tools(self) -> bool:
        """Whether the model that answers can call tools."""
        return self.has(ModelRole.LITE) and self.steps.takes_tools(ModelRole.LITE)

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
