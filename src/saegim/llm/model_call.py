"""The record of one model call: source, duration, tokens, cost."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum


class CallSource(StrEnum):
    MODEL = "model"
    FALLBACK = "fallback"


class ModelFault(StrEnum):
    """Why a model did not complete its step."""

    NOT_CONFIGURED = "not_configured"
    REFUSED = "refused"
    HTTP_ERROR = "http_error"
    TIMEOUT = "timeout"
    BROKEN_OUTPUT = "broken_output"
    EMPTY_OUTPUT = "empty_output"
    CIRCUIT_OPEN = "circuit_open"
    LIMIT_REACHED = "limit_reached"
    STOPPED = "stopped"
    """The caller stopped waiting."""


class StepFault(Exception):
    """The model was not called, or its answer was empty. `cause` is why, if it is known."""

    def __init__(self, fault: ModelFault, cause: "FaultDetail | None" = None) -> None:
        super().__init__(fault.value)
        self.fault = fault
        self.cause = cause


@dataclass(frozen=True, slots=True)
class FaultDetail:
    """What the provider said: the HTTP status, if there was a response, and its message."""

    fault: ModelFault
    status: int | None = None
    message: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (str(self.status or ""), self.message))) or self.fault.value


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One run of a model step. `fault` is why the fallback ran, or why the text is incomplete."""

    step: str
    prompt_version: str
    role: str
    model: str
    source: CallSource
    fault: ModelFault | None
    input_tokens: int
    output_tokens: int
    cost_usd: Decimal | None
    seconds: float
    first_token_seconds: float | None = None
    status: int | None = None
    """The provider's HTTP status, if it failed."""
    message: str | None = None
    """The provider's message, if it failed; without secrets."""
    connection: str | None = None
    """The name of the tenant's connection that was called."""
    pseudonyms: int = 0
    """How many names, addresses and numbers left as placeholders."""
