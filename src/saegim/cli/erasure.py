"""`saegim erasure`: request, list and cancel the erasure of one's own data."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated
from uuid import UUID

import typer

from saegim.cli.client_target import ClientTarget, Data, KeyFile, Url, User, explain, open_client
from saegim.cli.console import out
from saegim.cli.json_output import report
from saegim.cli.language import _
from saegim.client import ClientError, SaegimClient

erasure = typer.Typer(no_args_is_help=True)

STATES = {
    "planned": _("planned"),
    "started": _("started"),
    "key_destroyed": _("key destroyed"),
    "done": _("done"),
    "cancelled": _("cancelled"),
}


def _with[T](line: ClientTarget, work: Callable[[SaegimClient], Awaitable[T]]) -> T:
    async def run() -> T:
        async with line.open() as client:
            return await work(client)

    try:
        return asyncio.run(run())
    except ClientError as error:
        explain(error, line)


@erasure.command(
    "request",
    help=_("Request the erasure of all your data. You can cancel during the grace period."),
)
def request(
    yes: Annotated[bool, typer.Option("--yes", help=_("Skip the confirmation prompt."))] = False,
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
) -> None:
    line = open_client(data, url, key_file, user)
    if not yes:
        typer.confirm(
            _(
                "All your conversations, memories and files will be erased. This cannot be "
                "undone after the grace period. Continue?"
            ),
            abort=True,
            err=True,
        )
    requested = _with(line, lambda client: client.erase())
    report(requested)
    if requested.state == "planned":
        message = _(
            "Scheduled for {at:%Y-%m-%d %H:%M %Z}. To cancel: saegim erasure cancel {erasure}",
            at=requested.runs_at,
            erasure=requested.erasure_id,
        )
    else:
        message = _("Erasure started.")
    out.print(message, markup=False, highlight=False, soft_wrap=True)


@erasure.command(
    "list",
    help=_(
        "List erasure requests, newest first. A key that can erase other users "
        "lists all requests of the tenant."
    ),
)
def list_requests(
    data: Data = None, url: Url = None, key_file: KeyFile = None, user: User = None
) -> None:
    found = _with(open_client(data, url, key_file, user), lambda client: client.erasures())
    report(found)
    for each in found:
        row = f"{each.erasure_id}  {each.runs_at:%Y-%m-%d %H:%M}  {STATES[each.state]}"
        out.print(row, markup=False, highlight=False, soft_wrap=True)
    if not found:
        out.print(_("No erasure requests."))


@erasure.command("cancel", help=_("Cancel a scheduled erasure."))
def cancel(
    identifier: Annotated[UUID, typer.Argument(metavar="ID", help=_("Erasure request ID."))],
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
) -> None:
    line = open_client(data, url, key_file, user)
    report(_with(line, lambda client: client.cancel_erasure(identifier)))
    out.print(_("Erasure cancelled."))
