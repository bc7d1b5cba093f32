"""`saegim erasure`: request, list and cancel the erasure of one's own data."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated
from uuid import UUID

import typer

from saegim.cli.client_target import Data, KeyFile, Line, Url, User, explain, open_line
from saegim.cli.console import out
from saegim.cli.json_output import report
from saegim.cli.texts import erasure_texts as words
from saegim.client import ClientError, SaegimClient

erasure = typer.Typer(no_args_is_help=True)


def _with[T](line: Line, work: Callable[[SaegimClient], Awaitable[T]]) -> T:
    async def run() -> T:
        async with line.open() as client:
            return await work(client)

    try:
        return asyncio.run(run())
    except ClientError as error:
        explain(error, line)


@erasure.command("request", help=words.HELP_REQUEST())
def request(
    yes: Annotated[bool, typer.Option("--yes", help=words.HELP_YES())] = False,
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
) -> None:
    line = open_line(data, url, key_file, user)
    if not yes:
        typer.confirm(words.SURE(), abort=True, err=True)
    requested = _with(line, lambda client: client.erase())
    report(requested)
    if requested.state == "planned":
        message = words.PLANNED(at=requested.runs_at, erasure=requested.erasure_id)
    else:
        message = words.BEGUN()
    out.print(message, markup=False, highlight=False, soft_wrap=True)


@erasure.command("list", help=words.HELP_LIST())
def list_requests(
    data: Data = None, url: Url = None, key_file: KeyFile = None, user: User = None
) -> None:
    found = _with(open_line(data, url, key_file, user), lambda client: client.erasures())
    report(found)
    for each in found:
        row = f"{each.erasure_id}  {each.runs_at:%Y-%m-%d %H:%M}  {words.STATES[each.state]()}"
        out.print(row, markup=False, highlight=False, soft_wrap=True)
    if not found:
        out.print(words.NONE())


@erasure.command("cancel", help=words.HELP_CANCEL())
def cancel(
    identifier: Annotated[UUID, typer.Argument(metavar="ID", help=words.HELP_ID())],
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
) -> None:
    line = open_line(data, url, key_file, user)
    report(_with(line, lambda client: client.cancel_erasure(identifier)))
    out.print(words.CANCELLED())
