"""`saegim jobs`: what operators do with background jobs."""

from pathlib import Path
from typing import Annotated

import typer

from saegim.cli import environment
from saegim.cli.console import fail
from saegim.cli.texts import common as texts, job_texts

jobs = typer.Typer(no_args_is_help=True)

Data = Annotated[Path | None, typer.Option(help=texts.HELP_DATA())]
OfCell = Annotated[str | None, typer.Option("--cell", help=job_texts.HELP_CELL())]
AsJson = Annotated[bool, typer.Option("--json", help=texts.HELP_JSON())]


@jobs.command("list", help=job_texts.HELP_LIST())
def list_jobs(
    failed: Annotated[bool, typer.Option("--failed", help=job_texts.HELP_FAILED())] = False,
    most: Annotated[int, typer.Option(min=1, help=job_texts.HELP_MOST())] = 100,
    cell: OfCell = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.cli.operators import (  # noqa: PLC0415
        job_report,
        tenant_commands,
    )

    wanted = job_report.Wanted(cell, as_json)
    tenant_commands.run(
        settings,
        lambda services: job_report.show_list(services, wanted, most, only_failed=failed),
    )


@jobs.command("show", help=job_texts.HELP_SHOW())
def show_job(
    job: Annotated[int, typer.Argument(help=job_texts.HELP_ID())],
    cell: OfCell = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    from saegim.cli.operators import (  # noqa: PLC0415
        job_report,
        tenant_commands,
    )

    wanted = job_report.Wanted(cell, as_json)
    tenant_commands.run(settings, lambda services: job_report.show_one(services, wanted, job))


@jobs.command("replay", help=job_texts.HELP_REPLAY())
def replay_jobs(
    job: Annotated[int | None, typer.Argument(help=job_texts.HELP_ID())] = None,
    every: Annotated[bool, typer.Option("--all", help=job_texts.HELP_ALL())] = False,
    cell: OfCell = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    if (job is None) is not every:
        fail(job_texts.ONE_OR_ALL())
    settings = environment.load_for(data)
    from saegim.cli.operators import (  # noqa: PLC0415
        job_report,
        tenant_commands,
    )

    wanted = job_report.Wanted(cell, as_json)
    tenant_commands.run(settings, lambda services: job_report.replay(services, wanted, job))
