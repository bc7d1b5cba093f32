"""`saegim jobs`: lists background jobs and retries failed ones."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.table import Table

from saegim.cli.console import fail, local_time, out, say, warn
from saegim.cli.json_output import report
from saegim.cli.language import _
from saegim.cli.service_commands import service_command
from saegim.domain.errors import StoreUnavailable

if TYPE_CHECKING:
    from saegim.app.container import Services
    from saegim.jobs.dead_letters import DeadLetters, JobEntry

jobs = typer.Typer(no_args_is_help=True)

CellName = Annotated[
    str | None, typer.Option("--cell", help=_("Only jobs of this cell. Default: all cells."))
]
STATES = {
    "waiting": _("waiting"),
    "scheduled": _("scheduled"),
    "running": _("running"),
    "failed": _("failed"),
}
LONG_AGO = datetime.min.replace(tzinfo=UTC)


@service_command(jobs, "list", _("List queued jobs, oldest first."))
async def list_jobs(
    services: "Services",
    failed: Annotated[bool, typer.Option("--failed", help=_("Only failed jobs."))] = False,
    most: Annotated[int, typer.Option(min=1, help=_("Maximum number of results."))] = 100,
    cell: CellName = None,
) -> None:
    by_cell, unreachable = await _each_cell(
        services, cell, lambda letters: letters.jobs(most, only_failed=failed)
    )
    entries = [entry for entries in by_cell.values() for entry in entries]
    oldest = sorted(entries, key=lambda entry: entry.queued_at or LONG_AGO)[:most]
    report([_plain(entry) for entry in oldest])
    if oldest:
        out.print(_table(oldest))
    elif not unreachable:
        out.print(_("No failed jobs.") if failed else _("No jobs."))
    _exit_if_incomplete(unreachable)


@service_command(jobs, "show", _("Show the details of a job."))
async def show_job(
    services: "Services",
    job: Annotated[int, typer.Argument(help=_("Job ID."))],
    cell: CellName = None,
) -> None:
    entry = await _find(services, cell, job)
    report(_plain(entry))
    table = Table(box=box.SIMPLE, show_header=False)
    for name, value in _lines(entry):
        table.add_row(name, value)
    out.print(table)


@service_command(jobs, "replay", _("Put failed jobs back in the queue."))
async def replay_jobs(
    services: "Services",
    job: Annotated[int | None, typer.Argument(help=_("Job ID."))] = None,
    every: Annotated[bool, typer.Option("--all", help=_("All failed jobs."))] = False,
    cell: CellName = None,
) -> None:
    from saegim.jobs.dead_letters import DeadLetters  # noqa: PLC0415

    if (job is None) is not every:
        fail("Specify a job ID or --all.")
    unreachable: Sequence[str] = ()
    if job is None:
        replayed, unreachable = await _each_cell(services, cell, DeadLetters.replay_all)
    else:
        entry = await _find(services, cell, job)
        if not await DeadLetters(services.db.cells.named(entry.cell)).replay(job):
            fail("Job {job} has not failed.", job=job)
        replayed = {entry.cell: [job]}
    report({"replayed": replayed})
    say("Requeued {count} jobs.", count=sum(map(len, replayed.values())))
    _exit_if_incomplete(unreachable)


async def _each_cell[T](
    services: "Services", name: str | None, look: "Callable[[DeadLetters], Awaitable[T]]"
) -> tuple[dict[str, T], list[str]]:
    """Return the result of each cell, or of the named one, and the cells that do not respond."""
    from saegim.jobs.dead_letters import DeadLetters  # noqa: PLC0415

    results: dict[str, T] = {}
    unreachable: list[str] = []
    cells = services.db.cells
    for cell in cells.all if name is None else [cells.named(name)]:
        try:
            results[cell.name] = await look(DeadLetters(cell))
        except StoreUnavailable:
            unreachable.append(cell.name)
            warn(
                "Cannot list the jobs of cell {cell}: its database does not respond.",
                style="red",
                cell=cell.name,
            )
    return results, unreachable


def _exit_if_incomplete(unreachable: Sequence[str]) -> None:
    if unreachable:
        raise typer.Exit(1)


async def _find(services: "Services", cell: str | None, job: int) -> "JobEntry":
    """Return the job; exit if there is none, or more than one."""
    by_cell, unreachable = await _each_cell(services, cell, lambda letters: letters.find(job))
    entries = [entry for entry in by_cell.values() if entry is not None]
    if len(entries) > 1:
        fail(
            "Several cells have a job {job} ({cells}). Choose one with --cell.",
            job=job,
            cells=", ".join(entry.cell for entry in entries),
        )
    if not entries:
        _exit_if_incomplete(unreachable)
        fail("Job {job} not found. It may have finished already.", job=job)
    return entries[0]


def _table(entries: "Sequence[JobEntry]") -> Table:
    """Return a table that fits 80 columns; `saegim jobs show` has the rest."""
    several = len({entry.cell for entry in entries}) > 1
    table = Table(box=box.SIMPLE)
    for column in (_("id"), _("kind"), _("state"), _("failures"), _("last error"), _("queued at")):
        table.add_column(column, overflow="fold")
    if several:
        table.add_column(_("cell"), overflow="fold")
    for entry in entries:
        queued = "-" if entry.queued_at is None else local_time(entry.queued_at)
        table.add_row(
            *(str(entry.id), entry.kind, STATES[entry.state], str(entry.failures)),
            *(entry.error or "-", queued, *([entry.cell] if several else [])),
            style="red" if entry.state == "failed" else None,
        )
    return table


def _lines(entry: "JobEntry") -> list[tuple[str, str]]:
    return [
        (_("cell"), entry.cell),
        (_("id"), str(entry.id)),
        (_("kind"), entry.kind),
        (_("state"), STATES[entry.state]),
        (_("tenant"), entry.tenant),
        (_("subject"), entry.subject),
        (_("lock"), entry.lock or "-"),
        (_("queued at"), _time(entry.queued_at)),
        (_("scheduled for"), _time(entry.due_at)),
        (_("failures"), str(entry.failures)),
        (_("last error"), entry.error or "-"),
        (_("failed at"), _time(entry.failed_at)),
    ]


def _time(at: datetime | None) -> str:
    return "-" if at is None else at.astimezone().isoformat(sep=" ", timespec="seconds")


def _plain(entry: "JobEntry") -> dict[str, object]:
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in asdict(entry).items()
    }
