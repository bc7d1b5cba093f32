"""`saegim chat` and `saegim why`, through the API."""

import asyncio
from typing import Annotated
from uuid import UUID

import typer

from saegim.cli.client_target import ClientTarget
from saegim.cli.console import fail, warn
from saegim.cli.conversation import Conversation
from saegim.cli.json_output import AsJson, print_json, report
from saegim.cli.language import _
from saegim.cli.trace import show_trace
from saegim.client import ClientError, SaegimClient, Trace, Turn


def chat(
    target: ClientTarget,
    message: Annotated[str | None, typer.Argument(help=_("Message to send."))] = None,
    session: Annotated[
        str | None, typer.Option(help=_("Name or ID of the session to continue."))
    ] = None,
    as_json: AsJson = False,
) -> None:
    conversation = Conversation(target, session)
    try:
        if message is None:
            conversation.run()
        elif as_json:
            print_json(target.call(lambda client: client.chat(message, session=session)))
        else:
            asyncio.run(conversation.send(message))
    except KeyboardInterrupt:
        warn("(stopped)", style="dim")
        raise typer.Exit(130) from None
    except ClientError as error:
        target.explain(error)


def why(
    target: ClientTarget,
    turn: Annotated[
        UUID | None, typer.Argument(help=_("Turn ID. Default: your last turn."))
    ] = None,
) -> None:
    async def fetch(client: SaegimClient) -> tuple[Turn, Trace] | None:
        stored = await (client.last_turn() if turn is None else client.turn(turn))
        return None if stored is None else (stored, await client.trace(stored.turn_id))

    found = target.call(fetch)
    if found is None:
        fail("No messages yet.")
    stored, trace = found
    report(trace.trace)
    show_trace(stored, trace)
