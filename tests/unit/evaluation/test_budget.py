"""Models under a budget, extraction and live runs with scripted models."""

import pytest

from benchmarks.doubles.models import ScriptedModels
from benchmarks.evaluation import extraction
from benchmarks.evaluation.budget import Budget, BudgetUsage, MeteredModels
from benchmarks.evaluation.calibration import samples
from benchmarks.evaluation.extraction import extracted, messages
from benchmarks.evaluation.live import few
from saegim.domain.errors import ModelUnavailable
from saegim.evaluation.judge import judge
from saegim.evaluation.types import CriterionScore, JudgedMemory, JudgeForm, MemoryStatement, Scores
from saegim.llm.ports import ModelRole
from saegim.llm.steps import Steps

SCORED = CriterionScore(reason="", score=5)
VERDICT = JudgeForm(
    scores=Scores(relevance=SCORED, completeness=SCORED, accuracy=SCORED, noise=SCORED), summary=""
)
SUBJECT = JudgedMemory("질문", [MemoryStatement("말")])


def metered(budget: Budget) -> tuple[Steps, BudgetUsage, ScriptedModels]:
    models = ScriptedModels({ModelRole.JUDGE: lambda _: VERDICT})
    spending = BudgetUsage(budget)
    return Steps(MeteredModels(models, spending)), spending, models


async def test_tokens_are_counted_and_past_the_budget_nothing_is_asked() -> None:
    steps, spending, models = metered(Budget(tokens=1, usd=1, seconds=60))
    await judge(steps, SUBJECT)
    assert spending.calls == 1
    assert spending.tokens > 1
    assert not spending.left
    with pytest.raises(ModelUnavailable):
        await judge(steps, SUBJECT)
    assert len(models.requests) == 1


async def test_time_is_part_of_the_budget() -> None:
    now = iter([0.0, 5.0, 11.0])
    spending = BudgetUsage(Budget(10**6, 1, 10), now=lambda: next(now))
    assert spending.left
    assert not spending.left


def test_a_role_without_a_model_stays_without_one() -> None:
    _, spending, models = metered(Budget(10, 1, 60))
    assert MeteredModels(models, spending).for_role(ModelRole.LITE) is None


async def test_without_an_extractor_nothing_is_made_up() -> None:
    found = extraction.figures(await extracted(Steps(ScriptedModels({})), messages()))
    assert found["extraction.recall"].value == 0.0
    assert found["extraction.made_up"].value == 0.0


def test_a_few_samples_are_of_every_kind() -> None:
    assert {each.quality for each in few(samples(), 30)} == {each.quality for each in samples()}
    assert len(few(samples(), 30)) == 30
