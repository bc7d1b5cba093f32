"""Meter model calls and refuse them once the budget is spent."""

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage

from saegim.llm.metering import price
from saegim.llm.model_call import ModelFault, StepFault
from saegim.llm.ports import ModelRole, Models, RoleModel


@dataclass(frozen=True, slots=True)
class Budget:
    tokens: int
    usd: float
    seconds: float


@dataclass(slots=True)
class BudgetUsage:
    """The usage so far. A request that is running when the budget ends is still counted."""

    budget: Budget
    now: Callable[[], float] = time.monotonic
    calls: int = 0
    tokens: int = 0
    usd: Decimal = Decimal(0)
    unpriced: int = 0
    _started: float = field(init=False)

    def __post_init__(self) -> None:
        self._started = self.now()

    @property
    def seconds(self) -> float:
        return self.now() - self._started

    @property
    def left(self) -> bool:
        return (
            self.tokens < self.budget.tokens
            and self.usd < Decimal(str(self.budget.usd))
            and self.seconds < self.budget.seconds
        )

    def add(self, model: Model, usage: RequestUsage) -> None:
        """Count the usage of a request as reported by its provider."""
        self.tokens += usage.input_tokens + usage.output_tokens
        cost = price(model.model_name, usage.input_tokens, usage.output_tokens, model.base_url)
        if cost is None:
            self.unpriced += 1
        else:
            self.usd += cost

    def admit(self) -> None:
        """Count a request before it is made. Raises StepFault when the budget is spent."""
        if not self.left:
            raise StepFault(ModelFault.REFUSED)
        self.calls += 1


class _MeteredModel(WrapperModel):
    def __init__(self, wrapped: Model, spending: BudgetUsage) -> None:
        super().__init__(wrapped)
        self._spending = spending

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        self._spending.admit()
        response = await super().request(messages, model_settings, model_request_parameters)
        self._spending.add(self.wrapped, response.usage)
        return response

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: Any = None,
    ) -> AsyncGenerator[StreamedResponse]:
        self._spending.admit()
        async with super().request_stream(
            messages, model_settings, model_request_parameters, run_context
        ) as stream:
            try:
                yield stream
            finally:
                self._spending.add(self.wrapped, stream.usage)


class MeteredModels:
    """`Models` that count the usage of the models they wrap."""

    def __init__(self, models: Models, spending: BudgetUsage) -> None:
        self._models = models
        self._spending = spending

    def for_role(self, role: ModelRole) -> RoleModel | None:
        inner = self._models.for_role(role)
        if inner is None:
            return None
        metered = _MeteredModel(inner.model, self._spending)
        return replace(inner, model=metered)
