"""Everything that depends on a model, with the models one has, within a budget."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from saegim.chat.types import AssistantConfig
from saegim.evaluation import calibration, escalation, extraction
from saegim.evaluation.budget import BudgetUsage
from saegim.evaluation.calibration import CalibrationSample, JudgeResult, calibrate
from saegim.evaluation.play import Stage, play
from saegim.evaluation.results import Figure, Run, ScenarioResult
from saegim.evaluation.retrieval import figure
from saegim.evaluation.scenario import Scenario


@dataclass(frozen=True, slots=True)
class LivePlan:
    """What to run, how often, and on what it is reported to have run."""

    scenarios: Sequence[Scenario]
    calibration: Sequence[CalibrationSample]
    escalation: Sequence[escalation.EscalationSample]
    version: str
    configuration: Mapping[str, Any]
    repeats: int = 1


def few[T](every: Sequence[T], count: int | None) -> Sequence[T]:
    """So many of a set, from its beginning to its end; all where no number is named."""
    if count is None or count >= len(every):
        return every
    return tuple(every[number * len(every) // count] for number in range(count))


async def run(stage: Stage, plan: LivePlan, spending: BudgetUsage) -> Run:
    """Calibration first: it says what the scores of the rest are worth. Stops with the budget."""
    figures: dict[str, Figure] = {}
    played: list[ScenarioResult] = []
    notes: list[str] = []
    stage = replace(stage, goes_on=lambda: spending.left)
    figures |= await _calibrated(stage, plan.calibration, spending)
    figures |= await _extracted(stage, spending)
    tried = await _tried(stage, plan.escalation, spending)
    if tried:
        figures |= escalation.figures(tried)
        notes.append(_saved_in(tried))
    for number in range(plan.repeats):
        for scenario in plan.scenarios:
            if spending.left:
                named = scenario.model_copy(update={"id": f"{scenario.id}#{number + 1}"})
                played.append(await play(stage, named if plan.repeats > 1 else scenario))
    if played:
        figures["scenarios.passed"] = figure([float(each.passed) for each in played])
    if not spending.left:
        notes.append("stopped by the budget; what is missing was not run")
    return Run(
        kind="live",
        at=datetime.now(UTC),
        version=plan.version,
        configuration={**plan.configuration, **_spent(spending)},
        repeats=plan.repeats,
        figures=figures,
        played=tuple(played),
        tables=(escalation.table(tried),) if tried else (),
        notes=tuple(notes),
    )


async def _calibrated(
    stage: Stage, chosen: Sequence[CalibrationSample], spending: BudgetUsage
) -> dict[str, Figure]:
    rulings: list[JudgeResult] = []
    for sample in chosen:
        if spending.left:
            rulings += await calibrate(stage.steps, [sample])
    if not rulings:
        return {}
    readable = sum(ruling.judgement is not None for ruling in rulings) / len(rulings)
    known = Figure(value=readable, count=len(rulings))
    return {"judge.readable": known, **calibration.figures(rulings)}


async def _extracted(stage: Stage, spending: BudgetUsage) -> dict[str, Figure]:
    """What was read within the budget; what was not asked does not count as unreadable."""
    results: list[extraction.ExtractionResult] = []
    for message in extraction.messages():
        if spending.left:
            results += await extraction.extracted(stage.steps, [message])
    return extraction.figures(results) if results else {}


async def _tried(
    stage: Stage, chosen: Sequence[escalation.EscalationSample], spending: BudgetUsage
) -> list[escalation.EscalationTrial]:
    """Each question by draft and by the strong model; one that the budget cut short is left out."""
    found: list[escalation.EscalationTrial] = []
    config = AssistantConfig()
    for sample in chosen:
        if spending.left:
            one = await escalation.tried(stage.steps, sample, config)
            if spending.left:
                found.append(one)
    return found


def _saved_in(tried: Sequence[escalation.EscalationTrial]) -> str:
    unit = "dollars" if escalation.priced(tried) else "tokens: some model has no list price"
    return f"escalation.saving is in {unit}"


def _spent(spending: BudgetUsage) -> dict[str, Any]:
    budget = spending.budget
    return {
        "budget": f"{budget.tokens:,} tokens, ${budget.usd:.2f}, {budget.seconds:.0f} s",
        "spent": f"{spending.calls} calls, {spending.tokens:,} tokens, ${spending.usd:.4f}, "
        f"{spending.seconds:.0f} s",
        "calls without a list price": spending.unpriced,
    }
