"""One model step as it was run: who answered, how long it took, what it cost."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum


class CallSource(StrEnum):
    """Who did a step's work."""

    MODEL = "model"
    FALLBACK = "fallback"


class ModelFault(StrEnum):
    """Why a model did not do its step's work."""

    NOT_CONFIGURED = "not_configured"
    REFUSED = "refused"
    HTTP_ERROR = "http_error"
    TIMEOUT = "timeout"
    BROKEN_OUTPUT = "broken_output"
    EMPTY_OUTPUT = "empty_output"
    CIRCUIT_OPEN = "circuit_open"
    LIMIT_REACHED = "limit_reached"
    STOPPED = "stopped"
    """Whoever asked did not wait for the end."""


class StepFault(Exception):
    """A model that was not asked, or whose answer was nothing."""

    def __init__(self, fault: ModelFault) -> None:
        super().__init__(fault.value)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One run of a model step. `fault` tells why the twin worked, or why the text ends early."""

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
