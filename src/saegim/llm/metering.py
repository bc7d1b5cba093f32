"""Time limit, circuit breaker and metering of model calls. Imports providers' clients late."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from importlib import import_module
from threading import Event
from typing import TYPE_CHECKING
from uuid import UUID

from saegim.llm.model_call import CallSource, FaultDetail, ModelCall, ModelFault
from saegim.llm.ports import ModelRole
from saegim.llm.types import StepPrompt
from saegim.telemetry.spans import note_finished_call
from saegim.text.tokens import count

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.usage import RunUsage

FALLBACK = "fallback"

_IMPORTED = Event()


async def import_clients() -> None:
    """Import the clients of model providers, which takes a second, outside the event loop.

    Without a model they are not needed.
    """
    if not _IMPORTED.is_set():
        await asyncio.to_thread(import_module, "saegim.llm.calls")
        await asyncio.to_thread(import_module, "saegim.llm.openai_chat")
        _IMPORTED.set()


def price(
    model: str, input_tokens: int, output_tokens: int, provider_url: str | None = None
) -> Decimal | None:
    """Return the price of a call in US dollars, or None if it is unknown.

    `provider_url` selects the provider: a known model on a private server has no list price.
    """
    if model == FALLBACK:
        return Decimal(0)
    from genai_prices import Usage, calc_price  # noqa: PLC0415 - slow to import, unused offline

    usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens)
    try:
        return calc_price(usage, model, provider_api_url=provider_url).total_price
    except LookupError:
        return None


class CallMeter:
    """Measures one run of a step: time, time to first token, tokens."""

    def __init__(
        self, step: str, role: ModelRole, prompt: StepPrompt, now: Callable[[], float]
    ) -> None:
        self._step = step
        self._role = role
        self._prompt = prompt
        self._now = now
        self._started = now()
        self._first_token: float | None = None
        self._usage: RunUsage | None = None
        self.model: Model | None = None
        self.provider: str | None = None
        """The provider whose rate limit counted the call."""
        self.charged_to: UUID | None = None
        """The tenant whose budget has a reservation for the call."""
        self.connection: str | None = None
        self.reached_limit = False
        """Whether the text ends at its limit of tokens."""
        self.pseudonyms = 0
        self.detail: FaultDetail | None = None
        """What the provider said when it failed."""

    @property
    def usage(self) -> "RunUsage":
        """The token counts of the provider, filled in by the caller of the model."""
        if self._usage is None:
            self._usage = import_module("pydantic_ai.usage").RunUsage()
        assert self._usage is not None
        return self._usage

    def first_token(self) -> None:
        """Note the time of the first text; later calls change nothing."""
        if self._first_token is None:
            self._first_token = self._now() - self._started

    def model_call(self, output: str, fault: ModelFault | None = None) -> ModelCall:
        """Return the call of a model; tokens are counted here if the provider did not."""
        input_tokens, output_tokens = self._tokens()
        return self._call(
            CallSource.MODEL,
            fault,
            input_tokens or sum(map(count, self._prompt.texts)),
            output_tokens or count(output),
        )

    def failed_call(self, fault: ModelFault) -> ModelCall:
        """Return the call of a background step that failed and is retried later."""
        return self._call(CallSource.MODEL, fault, *self._tokens())

    def fallback_call(self, fault: ModelFault) -> ModelCall:
        """Return the call of the fallback, with the tokens that the failed model used."""
        return self._call(CallSource.FALLBACK, fault, *self._tokens())

    def _tokens(self) -> tuple[int, int]:
        usage = self._usage
        return (0, 0) if usage is None else (usage.input_tokens, usage.output_tokens)

    def _call(
        self, source: CallSource, fault: ModelFault | None, input_tokens: int, output_tokens: int
    ) -> ModelCall:
        return ModelCall(
            step=self._step,
            prompt_version=self._prompt.version,
            role=self._role.value,
            model=self.model.model_name if self.model and source is CallSource.MODEL else FALLBACK,
            source=source,
            fault=fault,
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            cost_usd=self._cost(input_tokens, output_tokens),
            seconds=self._now() - self._started,
            first_token_seconds=self._first_token,
            status=None if self.detail is None else self.detail.status,
            message=None if self.detail is None else self.detail.message or None,
            connection=self.connection,
            pseudonyms=self.pseudonyms,
        )

    def _cost(self, input_tokens: int, output_tokens: int) -> Decimal | None:
        if self.model is None or not (input_tokens or output_tokens):
            return price(FALLBACK, 0, 0)
        return price(self.model.model_name, input_tokens, output_tokens, self.model.base_url)


def note_call(call: ModelCall, provider: str, model: str) -> None:
    """Record a model call that just ended as a span."""
    note_finished_call(
        f"chat {model}",
        {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": provider,
            "gen_ai.request.model": model,
            "gen_ai.usage.input_tokens": call.input_tokens,
            "gen_ai.usage.output_tokens": call.output_tokens,
            "saegim.step": call.step,
            "saegim.role": call.role,
            "saegim.source": call.source.value,
        },
        call.seconds,
        None if call.fault is None else call.fault.value,
    )


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """The deadline of a step, on the clock `now`."""

    now: Callable[[], float]
    end: float

    def left(self) -> float:
        return self.end - self.now()

    def within(self, seconds: float) -> "TimeLimit":
        """Return the earlier of this limit and `seconds` from now."""
        return TimeLimit(self.now, min(self.end, self.now() + seconds))


class Breaker:
    """Opens for `cool_down_seconds` after `threshold` failures in a row; then one trial request is
    admitted. A trial that never reports back costs only another cool-down."""

    def __init__(
        self, now: Callable[[], float], threshold: int = 3, cool_down_seconds: float = 10.0
    ) -> None:
        self._now = now
        self._threshold = threshold
        self._cool_down = cool_down_seconds
        self._failures = 0
        self._closed_until = 0.0
        self.cause: FaultDetail | None = None
        """The last failure."""

    def admits(self) -> bool:
        """Return whether a request may be sent now; an admitted trial starts a new cool-down."""
        if self._failures < self._threshold:
            return True
        if self._now() < self._closed_until:
            return False
        self._closed_until = self._now() + self._cool_down
        return True

    def succeeded(self) -> None:
        self._failures = 0

    def failed(self, cause: FaultDetail | None = None) -> None:
        self._failures += 1
        self.cause = cause
        if self._failures >= self._threshold:
            self._closed_until = self._now() + self._cool_down
