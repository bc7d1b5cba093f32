"""`saegim memory`: memories of turns and conversations, and extraction for operators."""

from typing import TYPE_CHECKING, Annotated, Literal
from uuid import UUID

import typer

from saegim.cli.client_target import ClientTarget, client_command
from saegim.cli.console import echo, say
from saegim.cli.json_output import report, report_list
from saegim.cli.language import _
from saegim.cli.service_commands import Tenant, service_command
from saegim.locales import N_

if TYPE_CHECKING:
    from saegim.app.container import Services

memory = typer.Typer(no_args_is_help=True)

Turn = Annotated[UUID, typer.Argument(help=_("Turn ID."))]

READING = {
    "waiting": _("The turn was not processed yet."),
    "read": _("The turn was processed."),
    "left_out": _("The user asked not to remember this."),
    "failed": _("The model output could not be parsed."),
    "off": _("Long-term memory is off."),
}
MOST_FAILURES = 1_000


@client_command(memory, "remembered", _("Show what was remembered from a turn."))
def remembered(target: ClientTarget, turn: Turn) -> None:
    memories = report(target.call(lambda client: client.remembered(turn)))
    echo(READING[memories.reading])
    for each in memories.remembered:
        echo(f"  {each.memory_id}  {each.type}  {each.content}")


@client_command(memory, "take-back", _("Forget what was remembered from a turn."))
def take_back(target: ClientTarget, turn: Turn) -> None:
    count = target.call(lambda client: client.take_back(turn))
    report({"forgotten": count})
    say("Forgot {count} memories.", count=count)


@client_command(
    memory,
    "consent",
    _("Turn long-term memory on or off. Omit the value to show the current setting."),
)
def consent(
    target: ClientTarget,
    switch: Annotated[Literal["on", "off"] | None, typer.Argument(help=_("on or off."))] = None,
) -> None:
    value = None if switch is None else switch == "on"
    on = target.call(lambda client: client.consent(value))
    report({"memory": on})
    echo(_("Long-term memory is on.") if on else _("Long-term memory is off."))


@client_command(
    memory,
    "forget-session",
    _("Delete a conversation. With --derived, also delete memories that come only from it."),
)
def forget_session(
    target: ClientTarget,
    session: Annotated[
        UUID, typer.Argument(metavar="ID", help=_("Name or ID of the session to continue."))
    ],
    derived: Annotated[
        bool,
        typer.Option(
            "--derived", help=_("Also delete memories that come only from this conversation.")
        ),
    ] = False,
) -> None:
    turns = target.call(lambda client: client.delete_session(session, derived=derived))
    report({"turns": turns})
    say("Deleted {count} turns.", count=turns)


@service_command(
    memory,
    "extract-again",
    _("Read again, with the model, turns that were processed without one."),
)
async def extract_again(services: "Services", tenant: Tenant) -> None:
    queued = await services.memory.turn_memories.extract_again(tenant)
    report({"queued": queued})
    say("Queued {count} turns.", count=queued)


@service_command(memory, "failures", _("List turns whose model output could not be parsed."))
async def show_failures(services: "Services", tenant: Tenant) -> None:
    failures = await services.memory.turn_memories.failures(tenant, MOST_FAILURES)
    for each in report_list(failures, N_("No failed turns.")):
        say(
            "turn {turn}: {error}, {attempts} attempts, {at}",
            turn=each.turn,
            error=each.error,
            attempts=each.attempts,
            at=each.at.isoformat(timespec="seconds"),
        )


@service_command(memory, "replay", _("Put those turns back in the queue."))
async def replay_failures(services: "Services", tenant: Tenant) -> None:
    queued = await services.memory.turn_memories.replay(tenant, MOST_FAILURES)
    report({"queued": queued})
    say("Queued {count} turns.", count=queued)
