"""Background model calls count in the tenant's budget, whatever becomes of them."""

import asyncio
from uuid import UUID, uuid4

import pytest
from pydantic import BaseModel
from pydantic_ai.exceptions import (
    ContentFilterError,
    ModelHTTPError,
    ModelRequestRejectedError,
    ModelServerError,
)

from benchmarks.doubles.models import Pieces, Reply, ScriptedModels
from saegim.domain.errors import ModelRefused, ModelUnavailable
from saegim.llm.model_call import CallSource, ModelCall, ModelFault
from saegim.llm.ports import ModelRole
from saegim.llm.steps import Steps, TurnModelBudget
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep, TextStep


class Summary(BaseModel):
    text: str


STEP = StructuredStep("fold", ModelRole.SUMMARIZER, StepPath.BACKGROUND, Summary)
ANSWER = TextStep("answer", ModelRole.LITE, StepPath.REPLY)
PROMPT = StepPrompt("Summarise.", (Message("user", "긴 이야기"),), "fold/1")
TENANT = uuid4()
REJECTED = ModelHTTPError.for_category(ModelRequestRejectedError, status_code=400, model_name="m")
DOWN = ModelHTTPError.for_category(ModelServerError, status_code=500, model_name="m")


class Budget:
    """A budget that is open or used up, and remembers what was counted."""

    def __init__(self, *, left: bool = True) -> None:
        self.left = left
        self.asked: list[UUID] = []
        self.settled: list[tuple[UUID, ModelCall]] = []

    async def reserve_call(self, tenant: UUID) -> bool:
        self.asked.append(tenant)
        return self.left

    async def settle_call(self, tenant: UUID, call: ModelCall) -> None:
        self.settled.append((tenant, call))


def by_rule() -> Summary:
    return Summary(text="by rule")


def summarizer(*replies: Reply) -> ScriptedModels:
    return ScriptedModels({ModelRole.SUMMARIZER: list(replies)}, retries=0)


async def test_a_call_is_counted_in_the_budget_of_its_tenant() -> None:
    budget = Budget()
    steps = Steps(summarizer(Summary(text="짧게")), budget=budget).charged_to(TENANT)

    result = await steps.structured(STEP, PROMPT, by_rule, None)

    assert budget.settled == [(TENANT, result.call)]
    assert result.call.input_tokens > 0


async def test_with_the_budget_used_up_the_model_is_not_asked() -> None:
    models, budget = summarizer(), Budget(left=False)
    steps = Steps(models, budget=budget).charged_to(TENANT)
    with pytest.raises(ModelUnavailable, match="limit_reached"):
        await steps.structured(STEP, PROMPT, by_rule, None)
    assert (models.requests, budget.settled) == ([], [])


@pytest.mark.parametrize(
    ("error", "kind"),
    [(REJECTED, ModelRefused), (ContentFilterError("no"), ModelRefused), (DOWN, ModelUnavailable)],
)
async def test_a_failed_call_is_counted_and_says_whether_asking_again_helps(
    error: Exception, kind: type[ModelUnavailable]
) -> None:
    budget, unfinished = Budget(), list[ModelCall]()
    steps = Steps(summarizer(error), budget=budget).charged_to(TENANT)

    with pytest.raises(ModelUnavailable) as raised:
        await steps.structured(STEP, PROMPT, by_rule, None, unfinished.append)

    assert type(raised.value) is kind
    assert [call for _, call in budget.settled] == unfinished
    assert len(unfinished) == 1


async def test_calls_of_a_turn_are_not_counted_a_second_time() -> None:
    budget = Budget()
    await Steps(summarizer(Summary(text="짧게")), budget=budget).structured(
        STEP, PROMPT, by_rule, None
    )
    assert budget.asked == []


async def test_by_rule_no_model_and_no_budget_is_asked() -> None:
    models, budget = summarizer(), Budget(left=False)
    steps = Steps(models, budget=budget).charged_to(TENANT).by_rule()

    result = await steps.structured(STEP, PROMPT, by_rule, None)

    assert (result.value, result.call.source) == (by_rule(), CallSource.FALLBACK)
    assert (models.requests, budget.asked) == ([], [])


async def test_an_answer_that_is_cancelled_counts_what_was_asked_and_written() -> None:
    models = ScriptedModels({ModelRole.LITE: [Pieces(("하나 ", "둘 ", "셋"), 30.0)]})
    calls, steps = list[ModelCall](), Steps(models)
    allowance = TurnModelBudget(steps, steps.now() + 60, calls.append)

    async def read() -> None:
        async for _ in allowance.stream(ANSWER, PROMPT, str):
            pass

    reading = asyncio.create_task(read())
    while not models.requests:
        await asyncio.sleep(0)
    await asyncio.sleep(0.01)
    reading.cancel()
    await asyncio.wait([reading])

    assert [call.fault for call in calls] == [ModelFault.STOPPED]
    assert calls[0].input_tokens > 0
