"""Jobs as tables or JSON, and dead letters put back in line."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime

import typer
from rich import box
from rich.table import Table

from saegim.adapters.postgres.dead_letters import DeadLetters, JobEntry
from saegim.bootstrap import Services
from saegim.entrypoints.cli import job_texts as say
from saegim.entrypoints.cli.console import fail, out


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which jobs, and how to show them."""

    most: int
    only_failed: bool
    as_json: bool


async def show_list(services: Services, wanted: Wanted) -> None:
    found = await DeadLetters(services.cells.home).jobs(wanted.most, only_failed=wanted.only_failed)
    if wanted.as_json:
        _print_json([_plain(entry) for entry in found])
    elif found:
        out.print(_table(found))
    else:
        out.print(say.NONE_FAILED() if wanted.only_failed else say.NONE())


async def show_one(services: Services, job: int, *, as_json: bool) -> None:
    found = await DeadLetters(services.cells.home).find(job)
    if found is None:
        fail(say.NOT_THERE(job=job))
    if as_json:
        _print_json(_plain(found))
        return
    table = Table(box=box.SIMPLE, show_header=False)
    for name, value in _lines(found):
        table.add_row(name, value)
    out.print(table)


async def replay(services: Services, job: int | None, *, as_json: bool) -> None:
    letters = DeadLetters(services.cells.home)
    if job is None:
        replayed = await letters.replay_all()
    elif await letters.replay(job):
        replayed = [job]
    else:
        there = await letters.find(job)
        fail(say.NOT_FAILED(job=job) if there else say.NOT_THERE(job=job))
    if as_json:
        _print_json({"replayed": replayed})
    else:
        out.print(say.REPLAYED(count=len(replayed)))


def _table(found: list[JobEntry]) -> Table:
    table = Table(box=box.SIMPLE)
    for column in (say.ID, say.KIND, say.STATE, say.TENANT, say.FAILURES, say.ERROR, say.QUEUED_AT):
        # An id that is cut off finds nothing.
        table.add_column(column(), overflow="fold")
    for entry in found:
        table.add_row(
            str(entry.id),
            entry.kind,
            say.STATES[entry.state](),
            entry.tenant,
            str(entry.failures),
            entry.error or "-",
            _time(entry.queued_at),
            style="red" if entry.state == "failed" else None,
        )
    return table


def _lines(entry: JobEntry) -> list[tuple[str, str]]:
    return [
        (say.ID(), str(entry.id)),
        (say.KIND(), entry.kind),
        (say.STATE(), say.STATES[entry.state]()),
        (say.TENANT(), entry.tenant),
        (say.SUBJECT(), entry.subject),
        (say.LOCK(), entry.lock or "-"),
        (say.QUEUED_AT(), _time(entry.queued_at)),
        (say.DUE_AT(), _time(entry.due_at)),
        (say.FAILURES(), str(entry.failures)),
        (say.ERROR(), entry.error or "-"),
        (say.FAILED_AT(), _time(entry.failed_at)),
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
