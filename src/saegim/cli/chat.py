"""What users do, through the client: chat, and ask why."""

import asyncio
import json
from typing import Annotated
from uuid import UUID

import typer

from saegim.cli.client_target import ClientTarget, Data, KeyFile, Url, User, explain, open_client
from saegim.cli.console import err
from saegim.cli.conversation import Conversation
from saegim.cli.language import _
from saegim.cli.trace import show_trace
from saegim.client import ClientError

AsJson = Annotated[bool, typer.Option("--json", help=_("Print JSON."))]


def chat(  # noqa: PLR0913 - one option for each thing to say about a call
    message: Annotated[str | None, typer.Argument(help=_("Message to send."))] = None,
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
    session: Annotated[
        str | None, typer.Option(help=_("Name or ID of the session to continue."))
    ] = None,
    as_json: AsJson = False,
) -> None:
    line = open_client(data, url, key_file, user)
    conversation = Conversation(line, session)
    try:
        if message is None:
            conversation.hold()
        elif as_json:
            asyncio.run(_reply(line, message, session))
        else:
            asyncio.run(conversation.say(message))
    except KeyboardInterrupt:
        err.print(_("(stopped)"), style="dim")
        raise typer.Exit(130) from None
    except ClientError as error:
        explain(error, line)


def why(
    turn: Annotated[UUID, typer.Argument(help=_("Turn ID."))],
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
    as_json: AsJson = False,
) -> None:
    line = open_client(data, url, key_file, user)

    async def ask() -> None:
        async with line.open() as client:
            stored, found = await client.turn(turn), await client.trace(turn)
        if as_json:
            typer.echo(json.dumps(found.trace, ensure_ascii=False, indent=2))
        else:
            show_trace(stored, found)

    try:
        asyncio.run(ask())
    except ClientError as error:
        explain(error, line)


async def _reply(line: ClientTarget, message: str, session: str | None) -> None:
    async with line.open() as client:
        reply = await client.chat(message, session=session)
    typer.echo(json.dumps(reply.model_dump(mode="json"), ensure_ascii=False, indent=2))
