"""The work of `saegim eval`, on servers of its own."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic_ai.models import override_allow_model_requests

from saegim import __version__
from saegim.app.from_settings import models_config
from saegim.app.settings import Settings
from saegim.cli.console import err, fail, out
from saegim.cli.evaluation.servers import stage
from saegim.cli.language import _
from saegim.evaluation import escalation, live as live_evaluation
from saegim.evaluation.budget import Budget, BudgetUsage, MeteredModels
from saegim.evaluation.calibration import samples
from saegim.evaluation.live import LivePlan, few
from saegim.evaluation.play import play
from saegim.evaluation.results import Run, ScenarioResult, save
from saegim.evaluation.retrieval import figure
from saegim.evaluation.scenario import Scenario, chosen, read, shipped
from saegim.evaluation.types import Judgement
from saegim.llm.configured_models import ConfiguredModels
from saegim.llm.ports import ModelRole


def memory(
    settings: Settings, names: Sequence[str], files: Sequence[Path], folder: Path
) -> list[ScenarioResult]:
    """Plays scenarios with every model step done by its twin, shows and stores what came of it."""
    scenarios = _scenarios(names, files)
    err.print(_("Starting temporary servers…"), style="dim")
    played = asyncio.run(_play(settings, scenarios))
    run = Run(
        kind="offline",
        at=datetime.now(UTC),
        version=__version__,
        configuration={"models": "none", "scenarios": [each.id for each in scenarios]},
        figures={"scenarios.passed": figure([float(each.passed) for each in played])},
        played=tuple(played),
    )
    path = save(run, folder)
    passed = sum(each.passed for each in played)
    out.print(
        _("{passed} of {all} passed. Saved to {path}", all=len(played), passed=passed, path=path),
        soft_wrap=True,
    )
    return played


async def _play(settings: Settings, scenarios: Sequence[Scenario]) -> list[ScenarioResult]:
    played: list[ScenarioResult] = []
    async with stage(settings) as ready:
        for scenario in scenarios:
            played.append(await play(ready, scenario))
            show(played[-1])
    return played


@dataclass(frozen=True, slots=True)
class LiveOptions:
    """What `saegim eval live` was asked for."""

    budget: Budget
    repeats: int
    samples: int | None
    names: Sequence[str]


def live(settings: Settings, asked: LiveOptions, folder: Path) -> Run:
    """Runs what depends on models with those of the settings, within the budget."""
    config = models_config(settings)
    if ModelRole.JUDGE not in config.roles:
        fail(
            _(
                "No model is configured. Set SAEGIM_PROVIDER and SAEGIM_PROVIDER_API_KEY, or "
                "SAEGIM_PROVIDER_BASE_URL."
            )
        )
    named = {role.value: each.model for role, each in config.roles.items()}
    plan = LivePlan(
        scenarios=_scenarios(asked.names, ()),
        calibration=few(samples(), asked.samples),
        escalation=few(escalation.samples(), asked.samples),
        version=__version__,
        configuration={"models": named, "preset": settings.provider},
        repeats=asked.repeats,
    )
    budget = asked.budget
    out.print(
        _(
            "Budget: {tokens:,} tokens, ${usd:.2f}, {seconds:.0f} s",
            tokens=budget.tokens,
            usd=budget.usd,
            seconds=budget.seconds,
        ),
        soft_wrap=True,
    )
    run = asyncio.run(_live(settings, ConfiguredModels(config), plan, BudgetUsage(budget)))
    for each in run.played:
        show(each)
    for name, found in run.figures.items():
        out.print(f"  {name:32} {found.value:.3f}  (n={found.count})", soft_wrap=True)
    out.print(run.configuration["spent"], soft_wrap=True)
    out.print(_("Report: {path}", path=save(run, folder)), soft_wrap=True)
    return run


async def _live(
    settings: Settings, models: ConfiguredModels, plan: LivePlan, spending: BudgetUsage
) -> Run:
    try:
        with override_allow_model_requests(True):
            async with stage(settings, MeteredModels(models, spending)) as ready:
                return await live_evaluation.run(ready, plan, spending)
    finally:
        await models.close()


def _scenarios(names: Sequence[str], files: Sequence[Path]) -> list[Scenario]:
    try:
        own = [read(path) for path in files]
        shipped_ones = list(chosen(names)) if names or not files else []
    except (ValueError, OSError) as error:
        if names and not files:
            there = ", ".join(each.id for each in shipped())
            fail(_("Unknown scenario: {names}. Available: {there}", names=error, there=there))
        fail(_("Invalid scenario: {reason}", reason=error))
    return [*shipped_ones, *own]


def show(played: ScenarioResult) -> None:
    """A line for each query, and what is wrong with it."""
    for asked in played.asked:
        state = _("passed") if asked.passed else _("failed")
        line = _(
            "{state}  {id}  working memory {alone}  with recall {together}",
            state=state,
            id=played.id,
            alone=_score(asked.alone),
            together=_score(asked.with_recall),
        )
        out.print(f"{line}  {asked.query}", soft_wrap=True, style=None if asked.passed else "red")
        for text, words in (
            (_("must not appear: {words}"), asked.leaked),
            (_("must not be treated as true: {words}"), asked.believed),
        ):
            if words:
                out.print(f"    {text.format(words=', '.join(words))}", soft_wrap=True)
    if played.unread:
        out.print(
            f"    {_('steps with unreadable model output: {count}', count=played.unread)}",
            soft_wrap=True,
        )


def _score(judgement: Judgement | None) -> Any:
    return "–" if judgement is None else f"{judgement.overall_score:.1f}"
