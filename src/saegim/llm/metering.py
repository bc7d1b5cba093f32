"""What calls of models cost, counted as they happen."""

from collections.abc import Callable
from decimal import Decimal
from uuid import UUID

from genai_prices import Usage, calc_price
from pydantic_ai.models import Model
from pydantic_ai.usage import RunUsage

from saegim.llm.model_call import Fault, ModelCall, Source
from saegim.llm.ports import ModelRole
from saegim.llm.types import StepPrompt
from saegim.text.tokens import count

TWIN = "twin"
"""The model name of a step that its twin did."""


def price(
    model: str, input_tokens: int, output_tokens: int, provider_url: str | None = None
) -> Decimal | None:
    """US dollars for one call, or None where the price is not known.

    With `provider_url` the price is that provider's: a well-known model on a server of one's own
    has no list price.
    """
    if model == TWIN:
        return Decimal(0)
    usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens)
    try:
        return calc_price(usage, model, provider_api_url=provider_url).total_price
    except LookupError:
        return None


class Meter:
    """Measures one run of a step: time, first token, tokens as the provider counts them."""

    def __init__(
        self, step: str, role: ModelRole, prompt: StepPrompt, now: Callable[[], float]
    ) -> None:
        self._step = step
        self._role = role
        self._prompt = prompt
        self._now = now
        self._started = now()
        self._first_token: float | None = None
        self.usage = RunUsage()
        self.model: Model | None = None
        self.provider: str | None = None
        """The provider whose gate let the call pass."""
        self.charged_to: UUID | None = None
        """The tenant whose budget the call was set aside in."""

    def first_token(self) -> None:
        """Notes when the first text came; later calls change nothing."""
        if self._first_token is None:
            self._first_token = self._now() - self._started

    def model_call(self, output: str, fault: Fault | None = None) -> ModelCall:
        """The call as a model did it; tokens are counted here where the provider did not."""
        shown = (self._prompt.system, *(message.text for message in self._prompt.messages))
        return self._call(
            Source.MODEL,
            fault,
            self.usage.input_tokens or sum(count(text) for text in shown),
            self.usage.output_tokens or count(output),
        )

    def failed_call(self, fault: Fault) -> ModelCall:
        """The call as nobody did it: a background step that is tried again later."""
        return self._call(Source.MODEL, fault, self.usage.input_tokens, self.usage.output_tokens)

    def twin_call(self, fault: Fault) -> ModelCall:
        """The call as the twin did it, with what the failed model may have used up before."""
        return self._call(Source.TWIN, fault, self.usage.input_tokens, self.usage.output_tokens)

    def _call(
        self, source: Source, fault: Fault | None, input_tokens: int, output_tokens: int
    ) -> ModelCall:
        return ModelCall(
            step=self._step,
            prompt_version=self._prompt.version,
            role=self._role.value,
            model=self.model.model_name if self.model and source is Source.MODEL else TWIN,
            source=source,
            fault=fault,
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            cost_usd=self._cost(input_tokens, output_tokens),
            seconds=self._now() - self._started,
            first_token_seconds=self._first_token,
        )

    def _cost(self, input_tokens: int, output_tokens: int) -> Decimal | None:
        if self.model is None or not (input_tokens or output_tokens):
            return price(TWIN, 0, 0)
        return price(self.model.model_name, input_tokens, output_tokens, self.model.base_url)
