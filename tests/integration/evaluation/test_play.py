"""Scenarios on real stores, with the rule-based fallback of model steps and the bundled
embedder.
"""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from benchmarks.doubles.models import ScriptedModels
from benchmarks.doubles.summarizer import naming
from saegim.app.infrastructure import Fakes
from saegim.cli.evaluation.run import stage_of
from saegim.evaluation.play import Stage, StageClock, play
from saegim.evaluation.results import ScenarioResult
from saegim.evaluation.scenario import chosen
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.llm.ports import ModelRole
from tests.stack import Databases, new_stack

START = datetime(2026, 1, 5, 9, tzinfo=UTC)


@pytest.fixture(scope="module")
async def stage(databases: Databases) -> AsyncIterator[Stage]:
    clock, embedder = StageClock(START), BundledEmbedder()
    async with new_stack(databases, Fakes(clock=clock, embedder=embedder)) as stack:
        yield stage_of(stack.services, stack.tenant.key, clock)
    await embedder.close()


async def played(stage: Stage, name: str) -> ScenarioResult:
    [scenario] = chosen([name])
    return await play(stage, scenario)


@pytest.mark.requirement("EV2")
@pytest.mark.parametrize("name", ["ko_continued_conversation", "ko_change_of_topic"])
async def test_the_specified_scenarios_are_remembered_with_and_without_recall(
    stage: Stage, name: str
) -> None:
    is_remembered(await played(stage, name))


@pytest.mark.requirement("EV2")
async def test_a_new_value_is_remembered_if_a_model_summarises(databases: Databases) -> None:
    """The rules that summarise without a model keep the old value beside the new one."""
    summarizer = naming({"예산이 1.5억으로 늘었어요": ("예산", "1.5억")})
    models = ScriptedModels({ModelRole.SUMMARIZER: summarizer})
    clock, embedder = StageClock(START), BundledEmbedder()
    async with new_stack(
        databases, Fakes(clock=clock, embedder=embedder, models=models), "요약"
    ) as stack:
        stage = stage_of(stack.services, stack.tenant.key, clock)
        is_remembered(await played(stage, "ko_updated_information"))
    await embedder.close()


def is_remembered(found: ScenarioResult) -> None:
    [asked] = found.asked
    assert found.passed
    assert asked.alone is not None
    assert asked.with_recall is not None
    assert asked.alone.usable, asked.alone
    assert asked.with_recall.overall_score >= 70
    assert asked.tokens_with_recall >= asked.tokens_alone


@pytest.mark.requirement("EV2")
async def test_the_updated_budget_is_one_and_a_half(stage: Stage) -> None:
    found = await played(stage, "ko_updated_information")
    [asked] = found.asked
    assert asked.alone is not None
    assert any("1.5억" in text for text in asked.alone.helpful_info)
    assert not asked.alone.missing_info


@pytest.mark.parametrize("name", ["ko_erasure", "en_erasure"])
async def test_what_was_erased_is_nowhere(stage: Stage, name: str) -> None:
    found = await played(stage, name)
    assert [each.leaked for each in found.asked] == [()] * len(found.asked)
    assert found.passed


@pytest.mark.parametrize("name", ["ko_several_profiles", "en_several_profiles"])
async def test_profiles_stay_apart(stage: Stage, name: str) -> None:
    assert (await played(stage, name)).passed


async def test_working_memory_alone_does_not_reach_another_conversation(stage: Stage) -> None:
    found = await played(stage, "ko_long_gap")
    [cat, *_] = found.asked
    assert cat.alone is not None
    assert cat.with_recall is not None
    assert cat.alone.scores.relevance.score < 7
    assert cat.with_recall.usable


async def test_a_stage_that_says_stop_leaves_a_scenario_unfinished(stage: Stage) -> None:
    left = iter([True, True, False])
    stopped = replace(stage, goes_on=lambda: next(left))
    [scenario] = chosen(["en_contradiction"])
    found = await play(stopped, scenario)
    assert not found.complete
    assert not found.passed
