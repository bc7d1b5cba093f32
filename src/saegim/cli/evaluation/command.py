"""`saegim eval`: evaluates memory and search."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from saegim.app.settings import Settings
from saegim.cli import environment
from saegim.cli.console import fail, say
from saegim.cli.environment import Data
from saegim.cli.language import LOCALE, _
from saegim.cli.service_commands import Tenant, service_command

if TYPE_CHECKING:
    from saegim.app.container import Services

evaluations = typer.Typer(no_args_is_help=True)

Runs = Annotated[
    Path | None, typer.Option(help=_("Results folder. Default: `evaluations` in the data folder."))
]
Names = Annotated[
    list[str] | None,
    typer.Option("--scenario", help=_("Scenario name or kind. Repeat for several. Default: all.")),
]
Files = Annotated[
    list[Path] | None, typer.Option("--file", help=_("Your own scenario file (TOML)."))
]


@evaluations.command(
    "memory",
    help=_("Run the scenarios on temporary servers; score memory and answers. Uses no model."),
)
def memory(
    scenario: Names = None, file: Files = None, runs: Runs = None, data: Data = None
) -> None:
    settings = environment.load_for(data)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.cli.evaluation import run as eval_run  # noqa: PLC0415

    played = eval_run.memory(settings, scenario or [], file or [], _folder(settings, runs))
    raise typer.Exit(int(not all(each.passed and each.answered for each in played)))


@evaluations.command("report", help=_("Write the stored evaluation results as Markdown."))
def report(
    to: Annotated[Path, typer.Option("--out", help=_("Report folder."))] = Path("evaluation"),
    runs: Runs = None,
    data: Data = None,
) -> None:
    folder = _folder(environment.load_for(data), runs)
    from saegim.evaluation.report import write  # noqa: PLC0415
    from saegim.evaluation.results import load  # noqa: PLC0415

    results = load(folder)
    if not results:
        fail("No results in {folder}. Run `saegim eval memory` first.", folder=folder)
    say("Report: {path}", path=write(results, to, LOCALE))


@service_command(
    evaluations,
    "cases",
    _("Export feedback that users shared for evaluation as masked labels and scenarios."),
)
async def cases(
    services: "Services",
    tenant: Tenant,
    to: Annotated[Path, typer.Option("--out", help=_("Output folder."))] = Path("cases"),
    days: Annotated[int, typer.Option(min=1, help=_("Number of days of feedback to read."))] = 90,
) -> None:
    from saegim.cli.evaluation import cases as eval_cases  # noqa: PLC0415

    await eval_cases.write(services, tenant, days, to)


def _folder(settings: Settings, runs: Path | None) -> Path:
    return runs or settings.evaluations or settings.data / "evaluations"
