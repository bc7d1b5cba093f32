"""What can go wrong with a model, named. Whatever is not listed here is a bug and surfaces.

Loaded where a model is configured, as `calls` is."""

from pydantic_ai.exceptions import (
    ContentFilterError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelRequestTimeout,
    ModelServerError,
    ModelTimeoutError,
    ModelUnavailableError,
    UnexpectedModelBehavior,
)

from saegim.llm.model_call import ModelFault, StepFault

_FIRST_PAUSE_SECONDS = 0.2


PROVIDER_ERRORS = (ModelAPIError, UnexpectedModelBehavior, TimeoutError, StepFault)
"""Everything that a provider, and not our own code, can cause."""


def fault_of(error: BaseException) -> ModelFault:
    """Which fault one of `PROVIDER_ERRORS` is."""
    match error:
        case StepFault():
            return error.fault
        case TimeoutError() | ModelTimeoutError() | ModelRequestTimeout():
            return ModelFault.TIMEOUT
        case ModelHTTPError():
            return ModelFault.HTTP_ERROR
        case ModelConnectionError(phase="read" | "write"):
            # The provider took the request and then hung up.
            return ModelFault.BROKEN_OUTPUT
        case ModelConnectionError():
            return ModelFault.REFUSED
        case _:
            return ModelFault.BROKEN_OUTPUT


def blames_provider(error: BaseException) -> bool:
    """Whether the fault says something about the provider, not only about this one request.

    A message that a provider refuses to answer must not take the model away from everyone else.
    """
    if isinstance(error, ModelAuthenticationError | ModelNotFoundError):
        return True
    return not isinstance(error, ModelRequestRejectedError | ContentFilterError)


def refuses_request(error: BaseException) -> bool:
    """Whether the same request would likely fail again: the provider refused it, or answered it
    with nothing that can be used."""
    empty = isinstance(error, StepFault) and error.fault is ModelFault.EMPTY_OUTPUT
    return empty or isinstance(error, UnexpectedModelBehavior) or not blames_provider(error)


def pause_before_retry(
    error: BaseException, attempt: int, retries: int, seconds_left: float
) -> float | None:
    """Seconds to wait before another attempt, or None where there should be none."""
    passing = (ModelRateLimitError, ModelUnavailableError, ModelServerError, ModelConnectionError)
    if attempt >= retries or not isinstance(error, passing):
        return None
    if isinstance(error, ModelTimeoutError):
        return None
    pause = max(error.retry_after or 0.0, _FIRST_PAUSE_SECONDS * 2**attempt)
    return pause if pause < seconds_left else None
