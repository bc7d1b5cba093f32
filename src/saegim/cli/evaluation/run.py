"""The work of `saegim eval`, on temporary servers."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic_ai.models import override_allow_model_requests

from saegim import __version__
from saegim.app.model_settings import models_config
from saegim.app.settings import Settings
from saegim.cli.console import echo, fail, say, warn
from saegim.cli.evaluation.servers import stage
from saegim.cli.language import _
from saegim.evaluation import escalation, live as live_evaluation
from saegim.evaluation.budget import Budget, BudgetUsage, MeteredModels
from saegim.evaluation.calibration import samples
from saegim.evaluation.live import LivePlan, few
from saegim.evaluation.play import play, scenario_figures
from saegim.evaluation.results import AnswerVerdict, Run, ScenarioResult, save
from saegim.evaluation.scenario import Scenario, chosen, read, shipped
from saegim.evaluation.types import Judgement
from saegim.llm.configured_models import ConfiguredModels
from saegim.llm.ports import ModelRole


def memory(
    settings: Settings, names: Sequence[str], files: Sequence[Path], folder: Path
) -> list[ScenarioResult]:
    """Run scenarios with the rule-based fallbacks only; print and store the results."""
    scenarios = _scenarios(names, files)
    warn("Starting temporary servers…", style="dim")
    played = asyncio.run(_play(settings, scenarios))
    run = Run(
        kind="offline",
        at=datetime.now(UTC),
        version=__version__,
        configuration={"models": "none", "scenarios": [each.id for each in scenarios]},
        figures=scenario_figures(played),
        played=tuple(played),
    )
    path = save(run, folder)
    say(
        "Of {all} scenarios, memory passed in {passed} and the answers in {answered}. "
        "Saved to {path}",
        all=len(played),
        passed=sum(each.passed for each in played),
        answered=sum(each.answered for each in played),
        path=path,
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
    """The options of `saegim eval live`."""

    budget: Budget
    repeats: int
    samples: int | None
    names: Sequence[str]


def live(settings: Settings, options: LiveOptions, folder: Path) -> Run:
    """Run the evaluations that need models with the configured ones, within the budget."""
    config = models_config(settings)
    if ModelRole.JUDGE not in config.roles:
        fail(
            "No model is configured. Set SAEGIM_PROVIDER and SAEGIM_PROVIDER_API_KEY, or "
            "SAEGIM_PROVIDER_BASE_URL."
        )
    named = {role.value: each.model for role, each in config.roles.items()}
    plan = LivePlan(
        scenarios=_scenarios(options.names, ()),
        calibration=few(samples(), options.samples),
        escalation=few(escalation.samples(), options.samples),
        version=__version__,
        configuration={"models": named, "preset": settings.provider},
        repeats=options.repeats,
    )
    say("Budget: {tokens:,} tokens, ${usd:.2f}, {seconds:.0f} s", **asdict(options.budget))
    spending = BudgetUsage(options.budget)
    run = asyncio.run(_live(settings, ConfiguredModels(config), plan, spending))
    for each in run.played:
        show(each)
    for name, measured in run.figures.items():
        echo(f"  {name:32} {measured.value:.3f}  (n={measured.count})")
    echo(run.configuration["spent"])
    say("Report: {path}", path=save(run, folder))
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
            fail("Unknown scenario: {names}. Available: {there}", names=error, there=there)
        fail("Invalid scenario: {reason}", reason=error)
    return [*shipped_ones, *own]


def show(played: ScenarioResult) -> None:
    """Print a line for each query, and what is wrong with its answer."""
    for query in played.asked:
        right = query.passed and query.answered
        answer = query.answer or AnswerVerdict(text="")
        line = _(
            "{state}  {id}  working memory {alone}  with recall {together}  answer {answer}",
            state=_("passed") if right else _("failed"),
            id=played.id,
            alone=_score(query.alone),
            together=_score(query.with_recall),
            answer=_("passed") if query.answered else _("failed"),
        )
        echo(f"{line}  {query.query}", style=None if right else "red")
        for text, words in (
            (_("must not appear: {words}"), query.leaked),
            (_("must not be treated as true: {words}"), query.believed),
            (_("missing in the answer: {words}"), answer.missing),
            (_("must not be in the answer: {words}"), answer.forbidden),
        ):
            if words:
                echo(f"    {text.format(words=', '.join(words))}")
    if played.unread:
        echo(f"    {_('steps with unreadable model output: {count}', count=played.unread)}")


def _score(judgement: Judgement | None) -> str:
    return "–" if judgement is None else f"{judgement.overall_score:.1f}"
