"""Classifies errors of model providers; any other exception is a bug.

Imported only if a model is configured, like `calls`.
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, cast

from openai import APIConnectionError, APIStatusError, APITimeoutError
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

from saegim.llm.model_call import FaultDetail, ModelFault, StepFault
from saegim.net.errors import FetchFailed, FetchFault
from saegim.text.masking import mask

_FIRST_PAUSE_SECONDS = 0.2
_LONGEST_MESSAGE = 300
NO_RESPONSE = "no response within the time limit"
UNREADABLE = "the answer cannot be read"
_OWN_FAULTS = {
    ModelFault.EMPTY_OUTPUT: "the answer is empty",
    ModelFault.LIMIT_REACHED: "a rate limit or budget of this server is reached",
    ModelFault.TIMEOUT: "no time was left for the call",
}
PRIVATE_ADDRESS = "private address; SAEGIM_MODEL_PRIVATE_NETWORKS does not allow it"


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


def is_transient(error: BaseException) -> bool:
    """Return whether the same request may succeed soon: no answer in time, or a rate limit."""
    kinds = (ModelRateLimitError, ModelUnavailableError, ModelConnectionError)
    return fault_of(error) is ModelFault.TIMEOUT or isinstance(error, kinds)


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


def describe(error: BaseException, api_key: str | None = None) -> FaultDetail:
    """Return what the provider said about one of `PROVIDER_ERRORS`, without secrets."""
    if isinstance(error, StepFault):
        cause = error.cause
        message = _OWN_FAULTS.get(error.fault, "")
        return cause if cause is not None else FaultDetail(error.fault, None, message)
    status = error.status_code if isinstance(error, ModelHTTPError) else None
    return FaultDetail(fault_of(error), status, _without_secrets(_message(error), api_key))


def describe_client_error(error: Exception, api_key: str | None = None) -> FaultDetail:
    """Return what the provider said about an error of its client library, without secrets."""
    if isinstance(error, APIStatusError):
        message = _in_body(error.body) or _phrase(error.status_code)
        said = _without_secrets(message, api_key)
        return FaultDetail(ModelFault.HTTP_ERROR, error.status_code, said)
    if isinstance(error, APITimeoutError):
        return FaultDetail(ModelFault.TIMEOUT, None, NO_RESPONSE)
    if isinstance(error, APIConnectionError):
        return FaultDetail(ModelFault.REFUSED, None, _without_secrets(_root_cause(error), api_key))
    return FaultDetail(ModelFault.BROKEN_OUTPUT, None, UNREADABLE)


def _without_secrets(message: str, api_key: str | None) -> str:
    message = " ".join(message.split())
    if api_key:
        message = message.replace(api_key, "[SECRET]")
    return mask(message).text[:_LONGEST_MESSAGE]


def _message(error: BaseException) -> str:
    match error:
        case TimeoutError() | ModelTimeoutError() | ModelRequestTimeout():
            return NO_RESPONSE
        case ModelHTTPError():
            return _in_body(error.body) or _phrase(error.status_code)
        case ModelConnectionError():
            return _root_cause(error)
        case UnexpectedModelBehavior():
            return f"{UNREADABLE}: {error.message}"
        case _:
            return str(error)


def _in_body(body: object) -> str:
    """Return the message in an error response: `{"error": {"message": …}}` or a part of it."""
    if isinstance(body, str):
        return body
    if isinstance(body, list):
        each = cast("list[object]", body)
        return _in_body(each[0]) if each else ""
    if not isinstance(body, Mapping):
        return ""
    fields = cast("Mapping[str, Any]", body)
    return next(
        (text for name in ("message", "error", "detail") if (text := _in_body(fields.get(name)))),
        "",
    )


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _root_cause(error: BaseException) -> str:
    """Return why a connection failed: the first error of the chain that says it."""
    cause: BaseException | None = error
    last = error
    while cause is not None:
        if isinstance(cause, FetchFailed):
            private = cause.fault is FetchFault.PRIVATE_ADDRESS
            return PRIVATE_ADDRESS if private else str(cause)
        last = cause if str(cause) else last
        cause = cause.__cause__ or cause.__context__
    return str(last)
