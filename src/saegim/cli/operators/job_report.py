"""Jobs of every cell as tables or JSON, and dead letters put back in line."""

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

import typer
from rich import box
from rich.table import Table

from saegim.app.container import Services
from saegim.cli.console import err, fail, out
from saegim.cli.language import _
from saegim.db.cells import Cell
from saegim.domain.errors import StoreUnavailable
from saegim.jobs.dead_letters import DeadLetters, JobEntry

STATES = {
    "waiting": _("waiting"),
    "scheduled": _("scheduled"),
    "running": _("running"),
    "failed": _("failed"),
}
LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class JobReportOptions:
    """Whose jobs, every cell's if none is named, and how to show them."""

    cell: str | None
    as_json: bool


async def show_list(
    services: Services, wanted: JobReportOptions, most: int, *, only_failed: bool = False
) -> None:
    found, silent = await _each(
        _cells(services, wanted), lambda letters: letters.jobs(most, only_failed=only_failed)
    )
    together = [entry for entries in found.values() for entry in entries]
    oldest = sorted(together, key=lambda entry: entry.queued_at or LONG_AGO)[:most]
    if wanted.as_json:
        _print_json([_plain(entry) for entry in oldest])
    elif oldest:
        out.print(_table(oldest))
    elif not silent:
        out.print(_("No failed jobs.") if only_failed else _("No jobs."))
    _end(silent)


async def show_one(services: Services, wanted: JobReportOptions, job: int) -> None:
    found = await _find(services, wanted, job)
    if wanted.as_json:
        _print_json(_plain(found))
        return
    table = Table(box=box.SIMPLE, show_header=False)
    for name, value in _lines(found):
        table.add_row(name, value)
    out.print(table)


async def replay(services: Services, wanted: JobReportOptions, job: int | None) -> None:
    silent: Sequence[str] = ()
    if job is None:
        replayed, silent = await _each(_cells(services, wanted), DeadLetters.replay_all)
    else:
        found = await _find(services, wanted, job)
        if not await DeadLetters(services.db.cells.named(found.cell)).replay(job):
            fail(_("Job {job} has not failed.", job=job))
        replayed = {found.cell: [job]}
    if wanted.as_json:
        _print_json({"replayed": replayed})
    else:
        out.print(_("Requeued {count} jobs.", count=sum(map(len, replayed.values()))))
    _end(silent)


def _cells(services: Services, wanted: JobReportOptions) -> Sequence[Cell]:
    return services.db.cells.all if wanted.cell is None else [services.db.cells.named(wanted.cell)]


async def _each[T](
    cells: Sequence[Cell], look: Callable[[DeadLetters], Awaitable[T]]
) -> tuple[dict[str, T], list[str]]:
    """What a look at each cell shows, and the cells that do not answer, which are named."""
    found: dict[str, T] = {}
    silent: list[str] = []
    for cell in cells:
        try:
            found[cell.name] = await look(DeadLetters(cell))
        except StoreUnavailable:
            silent.append(cell.name)
            err.print(
                _(
                    "Cannot list the jobs of cell {cell}: its database does not respond.",
                    cell=cell.name,
                ),
                style="red",
            )
    return found, silent


def _end(silent: Sequence[str]) -> None:
    """What was shown is not all there is where a cell was silent: the command says so."""
    if silent:
        raise typer.Exit(1)


async def _find(services: Services, wanted: JobReportOptions, job: int) -> JobEntry:
    """The one job of that number; ends the command where there is none, or more than one."""
    looks, silent = await _each(_cells(services, wanted), lambda letters: letters.find(job))
    found = [entry for entry in looks.values() if entry is not None]
    if len(found) > 1:
        fail(
            _(
                "Several cells have a job {job} ({cells}). Choose one with --cell.",
                job=job,
                cells=", ".join(entry.cell for entry in found),
            )
        )
    if not found:
        _end(silent)
        fail(_("Job {job} not found. It may have finished already.", job=job))
    return found[0]


def _table(found: list[JobEntry]) -> Table:
    table = Table(box=box.SIMPLE)
    shown = (
        _("id"),
        _("kind"),
        _("state"),
        _("tenant"),
        _("failures"),
        _("last error"),
        _("queued at"),
    )
    for column in (_("cell"), *shown):
        # An id that is cut off finds nothing.
        table.add_column(column, overflow="fold")
    for entry in found:
        table.add_row(
            entry.cell,
            str(entry.id),
            entry.kind,
            STATES[entry.state],
            entry.tenant,
            str(entry.failures),
            entry.error or "-",
            _time(entry.queued_at),
            style="red" if entry.state == "failed" else None,
        )
    return table


def _lines(entry: JobEntry) -> list[tuple[str, str]]:
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


def _plain(entry: JobEntry) -> dict[str, object]:
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in asdict(entry).items()
    }


def _print_json(value: object) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))
