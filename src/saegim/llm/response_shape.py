"""Answers that are JSON but not of the agreed shape, which client libraries trip over."""

from collections.abc import Generator
from contextlib import contextmanager

from pydantic_ai.exceptions import UnexpectedModelBehavior
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings


@contextmanager
def reading_answer() -> Generator[None]:
    """Put around a library's reading of a provider's answer, and around no code of ours."""
    try:
        yield
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise UnexpectedModelBehavior("the provider's answer has the wrong shape") from error


class ShapeGuard(WrapperModel):
    """A model whose misshapen answers are unexpected behaviour, as all its other faults are."""

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        with reading_answer():
            return await super().request(messages, model_settings, model_request_parameters)
