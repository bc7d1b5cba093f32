"""Classifies errors of model providers; any other exception is a bug.

Imported only if a model is configured, like `calls`.
"""

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
"""Errors that a provider can cause."""


def fault_of(error: BaseException) -> ModelFault:
    """Return the fault of one of `PROVIDER_ERRORS`."""
    match error:
        case StepFault():
            return error.fault
        case TimeoutError() | ModelTimeoutError() | ModelRequestTimeout():
            return ModelFault.TIMEOUT
        case ModelHTTPError():
            return ModelFault.HTTP_ERROR
        case ModelConnectionError(phase="read" | "write"):
            # The provider accepted the request and then closed the connection.
            return ModelFault.BROKEN_OUTPUT
        case ModelConnectionError():
            return ModelFault.REFUSED
        case _:
            return ModelFault.BROKEN_OUTPUT


def blames_provider(error: BaseException) -> bool:
    """Return whether the fault is the provider's and not this request's.

    A message that a provider refuses must not open the circuit breaker for everyone.
    """
    if isinstance(error, ModelAuthenticationError | ModelNotFoundError):
        return True
    return not isinstance(error, ModelRequestRejectedError | ContentFilterError)


def refuses_request(error: BaseException) -> bool:
    """Return whether a retry would likely fail: the request was refused or the answer unusable."""
    empty = isinstance(error, StepFault) and error.fault is ModelFault.EMPTY_OUTPUT
    return empty or isinstance(error, UnexpectedModelBehavior) or not blames_provider(error)


def pause_before_retry(
    error: BaseException, attempt: int, retries: int, seconds_left: float
) -> float | None:
    """Return the seconds to wait before a retry, or None if there should be none."""
    transient = (ModelRateLimitError, ModelUnavailableError, ModelServerError, ModelConnectionError)
    if attempt >= retries or not isinstance(error, transient):
        return None
    if isinstance(error, ModelTimeoutError):
        return None
    pause = max(error.retry_after or 0.0, _FIRST_PAUSE_SECONDS * 2**attempt)
    return pause if pause < seconds_left else None
