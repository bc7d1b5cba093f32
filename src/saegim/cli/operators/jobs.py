"""`saegim jobs`: what operators do with background jobs."""

from pathlib import Path
from typing import Annotated

import typer

from saegim.cli import environment
from saegim.cli.console import fail
from saegim.cli.language import _

jobs = typer.Typer(no_args_is_help=True)

Data = Annotated[
    Path | None,
    typer.Option(
        help=_("Data folder of the running `saegim dev`. Default: .saegim (SAEGIM_DATA).")
    ),
]
OfCell = Annotated[
    str | None, typer.Option("--cell", help=_("Only jobs of this cell. Default: all cells."))
]
AsJson = Annotated[bool, typer.Option("--json", help=_("Print JSON."))]


@jobs.command("list", help=_("List queued jobs, oldest first."))
def list_jobs(
    failed: Annotated[bool, typer.Option("--failed", help=_("Only failed jobs."))] = False,
    most: Annotated[int, typer.Option(min=1, help=_("Maximum number of results."))] = 100,
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

    wanted = job_report.JobReportOptions(cell, as_json)
    tenant_commands.run(
        settings,
        lambda services: job_report.show_list(services, wanted, most, only_failed=failed),
    )


@jobs.command("show", help=_("Show the details of a job."))
def show_job(
    job: Annotated[int, typer.Argument(help=_("Job ID."))],
    cell: OfCell = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    from saegim.cli.operators import (  # noqa: PLC0415
        job_report,
        tenant_commands,
    )

    wanted = job_report.JobReportOptions(cell, as_json)
    tenant_commands.run(settings, lambda services: job_report.show_one(services, wanted, job))


@jobs.command("replay", help=_("Put failed jobs back in the queue."))
def replay_jobs(
    job: Annotated[int | None, typer.Argument(help=_("Job ID."))] = None,
    every: Annotated[bool, typer.Option("--all", help=_("All failed jobs."))] = False,
    cell: OfCell = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    if (job is None) is not every:
        fail(_("Specify a job ID or --all."))
    settings = environment.load_for(data)
    from saegim.cli.operators import (  # noqa: PLC0415
        job_report,
        tenant_commands,
    )

    wanted = job_report.JobReportOptions(cell, as_json)
    tenant_commands.run(settings, lambda services: job_report.replay(services, wanted, job))
