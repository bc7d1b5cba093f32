import json

import pytest
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
    UnexpectedModelBehavior,
)

from saegim.llm.faults import (
    PROVIDER_ERRORS,
    blames_provider,
    fault_of,
    pause_before_retry,
)
from saegim.llm.model_call import ModelFault, StepFault


def http(
    status: int,
    category: type[ModelRateLimitError | ModelServerError | ModelRequestRejectedError]
    | None = None,
) -> ModelHTTPError:
    return ModelHTTPError.for_category(category, status_code=status, model_name="m")


def undecodable() -> ModelAPIError:
    error = ModelAPIError("m", "Failed to decode")
    error.__cause__ = json.JSONDecodeError("x", "{", 0)
    return error


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (ModelConnectionError("m", "refused", phase="connect"), ModelFault.REFUSED),
        (ModelConnectionError("m", "unknown"), ModelFault.REFUSED),
        (ModelConnectionError("m", "dropped", phase="read"), ModelFault.BROKEN_OUTPUT),
        (http(500), ModelFault.HTTP_ERROR),
        (http(429, ModelRateLimitError), ModelFault.HTTP_ERROR),
        (http(401, ModelAuthenticationError), ModelFault.HTTP_ERROR),
        (TimeoutError(), ModelFault.TIMEOUT),
        (ModelTimeoutError("m", "slow", phase="read"), ModelFault.TIMEOUT),
        (ModelTimeoutError("m", "slow", phase="connect"), ModelFault.TIMEOUT),
        (ModelRequestTimeout("m", 3.0), ModelFault.TIMEOUT),
        (UnexpectedModelBehavior("not the schema"), ModelFault.BROKEN_OUTPUT),
        (undecodable(), ModelFault.BROKEN_OUTPUT),
        (StepFault(ModelFault.EMPTY_OUTPUT), ModelFault.EMPTY_OUTPUT),
        (StepFault(ModelFault.NOT_CONFIGURED), ModelFault.NOT_CONFIGURED),
    ],
)
def test_every_provider_error_has_its_fault(error: Exception, fault: ModelFault):
    assert isinstance(error, PROVIDER_ERRORS)
    assert fault_of(error) is fault


@pytest.mark.parametrize("error", [KeyError("x"), RuntimeError("x"), AssertionError(), OSError()])
def test_errors_of_our_own_are_not_the_providers(error: Exception):
    assert not isinstance(error, PROVIDER_ERRORS)


@pytest.mark.parametrize(
    ("error", "blamed"),
    [
        (http(400, ModelRequestRejectedError), False),
        (ContentFilterError("filtered"), False),
        (http(401, ModelAuthenticationError), True),
        (http(404, ModelNotFoundError), True),
        (http(500, ModelServerError), True),
        (TimeoutError(), True),
        (UnexpectedModelBehavior("x"), True),
    ],
)
def test_a_refused_message_says_nothing_about_the_provider(error: Exception, blamed: bool):
    assert blames_provider(error) is blamed


def test_passing_faults_are_tried_again_with_growing_pauses():
    error = http(503, ModelServerError)

    pauses = [pause_before_retry(error, attempt, 3, 60.0) for attempt in range(4)]

    assert pauses == [0.2, 0.4, 0.8, None]


def test_a_pause_the_provider_asks_for_is_kept_if_there_is_time():
    error = ModelRateLimitError("m", "slow down", retry_after=3.0)

    assert pause_before_retry(error, 0, 2, 10.0) == 3.0
    assert pause_before_retry(error, 0, 2, 2.0) is None


@pytest.mark.parametrize(
    "error",
    [
        http(400, ModelRequestRejectedError),
        http(401, ModelAuthenticationError),
        ModelTimeoutError("m", "slow"),
        UnexpectedModelBehavior("x"),
        TimeoutError(),
    ],
)
def test_lasting_faults_are_not_tried_again(error: Exception):
    assert pause_before_retry(error, 0, 5, 60.0) is None
