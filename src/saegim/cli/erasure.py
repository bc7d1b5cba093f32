"""`saegim erasure`: request, list and cancel the erasure of one's own data."""

from typing import Annotated
from uuid import UUID

import typer

from saegim.cli.client_target import ClientTarget, Yes, client_command
from saegim.cli.console import echo, local_time, say
from saegim.cli.json_output import report, report_list
from saegim.cli.language import _
from saegim.locales import N_

erasure = typer.Typer(no_args_is_help=True)

STATES = {
    "planned": _("planned"),
    "started": _("started"),
    "key_destroyed": _("key destroyed"),
    "done": _("done"),
    "cancelled": _("cancelled"),
}


@client_command(
    erasure,
    "request",
    _("Request the erasure of all your data. You can cancel during the grace period."),
)
def request(target: ClientTarget, yes: Yes = False) -> None:
    if not yes:
        question = _(
            "All your conversations, memories and files will be erased. This cannot be "
            "undone after the grace period. Continue?"
        )
        typer.confirm(question, abort=True, err=True)
    requested = report(target.call(lambda client: client.erase()))
    if requested.state == "planned":
        say(
            "Scheduled for {at}. To cancel: saegim erasure cancel {erasure}",
            at=local_time(requested.runs_at),
            erasure=requested.erasure_id,
        )
    else:
        say("Erasure started.")


@client_command(
    erasure,
    "list",
    _(
        "List erasure requests, newest first. A key that can erase other users "
        "lists all requests of the tenant."
    ),
)
def list_requests(target: ClientTarget) -> None:
    requests = target.call(lambda client: client.erasures())
    for each in report_list(requests, N_("No erasure requests.")):
        echo(f"{each.erasure_id}  {local_time(each.runs_at)}  {STATES[each.state]}")


@client_command(erasure, "cancel", _("Cancel a scheduled erasure."))
def cancel(
    target: ClientTarget,
    identifier: Annotated[UUID, typer.Argument(metavar="ID", help=_("Erasure request ID."))],
) -> None:
    report(target.call(lambda client: client.cancel_erasure(identifier)))
    say("Erasure cancelled.")
