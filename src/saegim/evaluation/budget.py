"""Models under a budget: what every request costs is counted, and past the budget none is made."""

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage

from saegim.llm.calls import price
from saegim.llm.model_call import ModelFault, StepFault
from saegim.llm.ports import ModelRole, Models, RoleModel


@dataclass(frozen=True, slots=True)
class Budget:
    """What an evaluation may cost at most."""

    tokens: int
    usd: float
    seconds: float


@dataclass(slots=True)
class BudgetUsage:
    """What was spent so far; a request that is under way when it runs out is still paid for."""

    budget: Budget
    now: Callable[[], float] = time.monotonic
    calls: int = 0
    tokens: int = 0
    usd: Decimal = Decimal(0)
    unpriced: int = 0
    _began: float = field(init=False)

    def __post_init__(self) -> None:
        self._began = self.now()

    @property
    def seconds(self) -> float:
        return self.now() - self._began

    @property
    def left(self) -> bool:
        """Whether another request may be made."""
        return (
            self.tokens < self.budget.tokens
            and self.usd < Decimal(str(self.budget.usd))
            and self.seconds < self.budget.seconds
        )

    def add(self, model: Model, usage: RequestUsage) -> None:
        """Counts what a request used, as its provider tells."""
        self.tokens += usage.input_tokens + usage.output_tokens
        cost = price(model.model_name, usage.input_tokens, usage.output_tokens, model.base_url)
        if cost is None:
            self.unpriced += 1
        else:
            self.usd += cost

    def admit(self) -> None:
        """Counts a request that is about to be made. Raises StepFault past the budget."""
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
    """Plays the `Models` port in front of another, and counts."""

    def __init__(self, models: Models, spending: BudgetUsage) -> None:
        self._models = models
        self._spending = spending

    def for_role(self, role: ModelRole) -> RoleModel | None:
        found = self._models.for_role(role)
        if found is None:
            return None
        metered = _MeteredModel(found.model, self._spending)
        return RoleModel(metered, found.timeout_seconds, found.retries)
