"""Run the live evaluation with the configured models, within a budget."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any

from saegim.chat.types import AssistantConfig
from saegim.evaluation import calibration, escalation, extraction
from saegim.evaluation.budget import BudgetUsage
from saegim.evaluation.calibration import CalibrationSample, JudgeResult, calibrate
from saegim.evaluation.play import Stage, play, scenario_figures
from saegim.evaluation.results import Figure, Run, ScenarioResult
from saegim.evaluation.scenario import Scenario


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
        notes.append(
            f"escalation.saving is in {'dollars' if escalation.priced(trials) else unpriced}"
        )
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
