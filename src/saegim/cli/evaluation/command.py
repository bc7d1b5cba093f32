"""`saegim eval`: whether memory and search help."""

from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from saegim.app.settings import Settings
from saegim.cli import environment
from saegim.cli.console import fail, out
from saegim.cli.language import LOCALE
from saegim.cli.texts import common as texts, eval_texts

evaluations = typer.Typer(no_args_is_help=True)

Data = Annotated[Path | None, typer.Option(help=texts.HELP_DATA())]
Runs = Annotated[Path | None, typer.Option(help=eval_texts.HELP_RUNS())]
Names = Annotated[list[str] | None, typer.Option("--scenario", help=eval_texts.HELP_SCENARIO())]
Files = Annotated[list[Path] | None, typer.Option("--file", help=eval_texts.HELP_FILE())]


@evaluations.command("memory", help=eval_texts.HELP_MEMORY())
def memory(
    scenario: Names = None, file: Files = None, runs: Runs = None, data: Data = None
) -> None:
    settings = environment.load_for(data)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.cli.evaluation import run as eval_run  # noqa: PLC0415

    played = eval_run.memory(settings, scenario or [], file or [], _folder(settings, runs))
    raise typer.Exit(int(not all(each.passed for each in played)))


@evaluations.command("report", help=eval_texts.HELP_REPORT())
def report(
    to: Annotated[Path, typer.Option("--out", help=eval_texts.HELP_OUT())] = Path("evaluation"),
    runs: Runs = None,
    data: Data = None,
) -> None:
    folder = _folder(environment.load_for(data), runs)
    from saegim.evaluation.report import write  # noqa: PLC0415
    from saegim.evaluation.results import load  # noqa: PLC0415

    found = load(folder)
    if not found:
        fail(eval_texts.NO_RUNS(folder=folder))
    for path in write(found, to, LOCALE):
        out.print(eval_texts.WRITTEN(path=path), soft_wrap=True)


@evaluations.command("live", help=eval_texts.HELP_LIVE())
def live(  # noqa: PLR0913 - the options of a command
    tokens: Annotated[int, typer.Option(min=1, help=eval_texts.HELP_TOKENS())] = 200_000,
    usd: Annotated[float, typer.Option(min=0.0, help=eval_texts.HELP_USD())] = 1.0,
    seconds: Annotated[float, typer.Option(min=1.0, help=eval_texts.HELP_SECONDS())] = 900.0,
    repeat: Annotated[int, typer.Option(min=1, help=eval_texts.HELP_REPEAT())] = 1,
    samples: Annotated[int | None, typer.Option(min=1, help=eval_texts.HELP_SAMPLES())] = None,
    scenario: Names = None,
    runs: Runs = None,
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    from saegim.cli.evaluation import run as eval_run  # noqa: PLC0415
    from saegim.evaluation.budget import Budget  # noqa: PLC0415

    asked = eval_run.Live(
        budget=Budget(tokens, usd, seconds), repeats=repeat, samples=samples, names=scenario or []
    )
    eval_run.live(settings, asked, _folder(settings, runs))


@evaluations.command("cases", help=eval_texts.HELP_CASES())
def cases(
    tenant: Annotated[UUID, typer.Option(help=texts.HELP_TENANT_ID())],
    to: Annotated[Path, typer.Option("--out", help=eval_texts.HELP_CASES_OUT())] = Path("cases"),
    days: Annotated[int, typer.Option(min=1, help=eval_texts.HELP_DAYS())] = 90,
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    from saegim.cli.evaluation import cases as eval_cases  # noqa: PLC0415
    from saegim.cli.operators import tenant_commands  # noqa: PLC0415

    tenant_commands.run(settings, lambda services: eval_cases.write(services, tenant, days, to))


def _folder(settings: Settings, runs: Path | None) -> Path:
    return runs or settings.evaluations or settings.data / "evaluations"
