"""`python -m benchmarks.evaluation.live [--tokens N] [--usd N] [--seconds N] …`.

Measures the configured models within a budget: the judge, extraction, escalation, scenarios.
"""

import argparse
import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from typing import Any

from pydantic_ai.models import override_allow_model_requests

from benchmarks.evaluation import calibration, escalation, extraction
from benchmarks.evaluation.budget import Budget, BudgetUsage, MeteredModels
from benchmarks.evaluation.calibration import CalibrationSample, JudgeResult, calibrate
from saegim import __version__
from saegim.app.model_settings import models_config
from saegim.app.settings import Settings
from saegim.chat.types import AssistantConfig
from saegim.cli.evaluation.run import show, stage
from saegim.evaluation.play import Stage, play, scenario_figures
from saegim.evaluation.report import write
from saegim.evaluation.results import Figure, Run, ScenarioResult, load, save
from saegim.evaluation.scenario import Scenario, chosen, shipped
from saegim.llm.configured_models import ConfiguredModels
from saegim.llm.ports import ModelRole

OUT = Path(__file__).parents[2] / "build" / "evaluation_live"


@dataclass(frozen=True, slots=True)
class LivePlan:
    """The samples to run, how often, and the configuration to report."""

    scenarios: Sequence[Scenario]
    calibration: Sequence[CalibrationSample]
    escalation: Sequence[escalation.EscalationSample]
    version: str
    configuration: Mapping[str, Any]
    repeats: int = 1


def few[T](every: Sequence[T], count: int | None) -> Sequence[T]:
    """Return `count` evenly spaced items, or all."""
    if count is None or count >= len(every):
        return every
    return tuple(every[number * len(every) // count] for number in range(count))


async def run(stage: Stage, plan: LivePlan, spending: BudgetUsage) -> Run:
    """Run calibration, extraction, escalation and the scenarios until the budget is spent."""
    played: list[ScenarioResult] = []
    notes: list[str] = []
    stage = replace(stage, goes_on=lambda: spending.left)
    # Calibration first: it tells how far the other scores can be trusted.
    figures = _judge_figures(await calibrate(stage.steps, _affordable(plan.calibration, spending)))
    messages = _affordable(extraction.messages(), spending)
    if extracted := await extraction.extracted(stage.steps, messages):
        figures |= extraction.figures(extracted)
    trials = await _escalation_trials(stage, plan.escalation, spending)
    if trials:
        figures |= escalation.figures(trials)
        unpriced = "tokens: some model has no list price"
        notes += [
            f"escalation.saving is in {'dollars' if escalation.priced(trials) else unpriced}",
            escalation.verdict(figures),
        ]
    for number in range(plan.repeats):
        for scenario in _affordable(plan.scenarios, spending):
            named = scenario.model_copy(update={"id": f"{scenario.id}#{number + 1}"})
            played.append(await play(stage, named if plan.repeats > 1 else scenario))
    if played:
        figures |= scenario_figures(played)
    if not spending.left:
        notes.append("the budget is spent; the remaining samples were not run")
    return Run(
        kind="live",
        at=datetime.now(UTC),
        version=plan.version,
        configuration={**plan.configuration, **_usage(spending)},
        repeats=plan.repeats,
        figures=figures,
        played=tuple(played),
        tables=(escalation.table(trials),) if trials else (),
        notes=tuple(notes),
    )


def _affordable[T](items: Iterable[T], spending: BudgetUsage) -> Iterator[T]:
    """Yield items until the budget is spent."""
    return takewhile(lambda _: spending.left, items)


def _judge_figures(rulings: Sequence[JudgeResult]) -> dict[str, Figure]:
    if not rulings:
        return {}
    share = sum(ruling.judgement is not None for ruling in rulings) / len(rulings)
    readable = Figure(value=share, count=len(rulings))
    return {"judge.readable": readable, **calibration.figures(rulings)}


async def _escalation_trials(
    stage: Stage, chosen: Sequence[escalation.EscalationSample], spending: BudgetUsage
) -> list[escalation.EscalationTrial]:
    """Try each question; drop one during which the budget ran out."""
    trials: list[escalation.EscalationTrial] = []
    config = AssistantConfig()
    for sample in _affordable(chosen, spending):
        trial = await escalation.tried(stage.steps, sample, config)
        if spending.left:
            trials.append(trial)
    return trials


def _usage(spending: BudgetUsage) -> dict[str, Any]:
    budget = spending.budget
    return {
        "budget": f"{budget.tokens:,} tokens, ${budget.usd:.2f}, {budget.seconds:.0f} s",
        "spent": f"{spending.calls} calls, {spending.tokens:,} tokens, ${spending.usd:.4f}, "
        f"{spending.seconds:.0f} s",
        "calls without a list price": spending.unpriced,
    }


async def measure(settings: Settings, plan: LivePlan, budget: Budget) -> Run:
    """Run the plan with the configured models. Raises ValueError without a model."""
    config = models_config(settings)
    if ModelRole.JUDGE not in config.roles:
        raise ValueError("no model is configured: set SAEGIM_PROVIDER and SAEGIM_PROVIDER_API_KEY")
    named = {role.value: each.model for role, each in config.roles.items()}
    plan = replace(plan, configuration={"models": named, "preset": settings.provider})
    models, spending = ConfiguredModels(config), BudgetUsage(budget)
    try:
        with override_allow_model_requests(True):
            async with stage(settings, MeteredModels(models, spending)) as ready:
                return await run(ready, plan, spending)
    finally:
        await models.close()


def main() -> None:
    options = _arguments()
    plan = LivePlan(
        scenarios=list(chosen(options.scenario)) if options.scenario else list(shipped()),
        calibration=few(calibration.samples(), options.samples),
        escalation=few(escalation.samples(), options.samples),
        version=__version__,
        configuration={},
        repeats=options.repeat,
    )
    budget = Budget(options.tokens, options.usd, options.seconds)
    found = asyncio.run(measure(Settings(), plan, budget))
    for each in found.played:
        show(each)
    for name, measured in found.figures.items():
        print(f"  {name:32} {measured.value:.3f}  (n={measured.count})")
    print(found.configuration["spent"])
    save(found, options.out)
    print(write(load(options.out), options.out))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=int, default=200_000)
    parser.add_argument("--usd", type=float, default=1.0)
    parser.add_argument("--seconds", type=float, default=900.0)
    parser.add_argument("--repeat", type=int, default=1, help="number of repetitions")
    parser.add_argument("--samples", type=int, help="memories and questions; all by default")
    parser.add_argument("--scenario", action="append", help="name or kind; all by default")
    parser.add_argument("--out", type=Path, default=OUT)
    return parser.parse_args()


if __name__ == "__main__":
    main()
