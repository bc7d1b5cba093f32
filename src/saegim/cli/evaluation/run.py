"""The work of `saegim eval memory`, on temporary servers apart from a running installation."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import SecretStr

from saegim import __version__
from saegim.app.container import Services, build
from saegim.app.infrastructure import Fakes
from saegim.app.settings import Settings
from saegim.auth.types import ActAs
from saegim.cli.console import echo, fail, say, warn
from saegim.cli.language import _
from saegim.db.cells import HOME_CELL
from saegim.db.migrate import ensure_database, migrate
from saegim.domain.scope import Caller
from saegim.encryption import key_store as keyring_store
from saegim.encryption.cipher import new_key
from saegim.encryption.keyring import format_master_key
from saegim.evaluation.memory_view import MemorySnapshots
from saegim.evaluation.play import Stage, StageClock, play, scenario_figures
from saegim.evaluation.results import AnswerVerdict, Run, ScenarioResult, save
from saegim.evaluation.scenario import Scenario, chosen, read, shipped
from saegim.evaluation.types import Judgement
from saegim.llm.ports import Models
from saegim.llm.steps import Steps
from saegim.localservers.servers import LocalServers

START = datetime(2026, 1, 5, 9, tzinfo=UTC)


def memory(
    settings: Settings, names: Sequence[str], files: Sequence[Path], folder: Path
) -> list[ScenarioResult]:
    """Run scenarios without a model; print and store the results."""
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


@contextlib.asynccontextmanager
async def stage(settings: Settings, models: Models | None = None) -> AsyncGenerator[Stage]:
    """Yield a stage on temporary servers; without models, every step uses its fallback."""
    with (
        TemporaryDirectory(prefix="saegim-eval-") as folder,
        LocalServers.start(Path(folder), durable=False) as servers,
    ):
        clock = StageClock(START)
        services = build(_settings(settings, servers, folder), Fakes(models=models, clock=clock))
        await services.open()
        try:
            tenant = await services.auth.tenants.create("평가", "ko", HOME_CELL)
            yield stage_of(services, tenant.key, clock)
        finally:
            await services.close()


def _settings(settings: Settings, servers: LocalServers, folder: str) -> Settings:
    postgres = servers.postgres
    for name in ("saegim", "keyring"):
        ensure_database(postgres.url(), name)
    app = postgres.url("saegim", user="saegim_app")
    migrate(postgres.url("saegim"), app)
    keyring_store.prepare(postgres.url("keyring"))
    return settings.model_copy(
        update={
            "models": "offline",
            "postgres_url": SecretStr(app),
            "keyring_url": SecretStr(postgres.url("keyring")),
            "redis_url": SecretStr(servers.valkey.url),
            "redis_cluster": False,
            "master_key": SecretStr(format_master_key(new_key())),
            "index_url": f"{folder}/index",
        }
    )


def stage_of(services: Services, key: str, clock: StageClock) -> Stage:
    """Return services, and the clock they were built with, as a stage for scenarios."""

    async def caller(user: str, profile: str | None) -> Caller:
        return await services.auth.authentication.authenticate(key, ActAs(user, profile))

    return Stage(
        chat=services.chat.turns,
        writing=services.memory.extraction,
        episodes=services.memory.episodes,
        summaries=services.conversations.summaries,
        remembering=services.memory.turn_memories,
        views=MemorySnapshots(services.chat.preview, services.memory.recall, services.clock),
        steps=Steps(services.llm.models),
        clock=clock,
        caller=caller,
    )
