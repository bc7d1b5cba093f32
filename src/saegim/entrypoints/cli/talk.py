"""What users do, through the client: chat, and ask why."""

import asyncio
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NoReturn
from uuid import UUID

import typer

from saegim.client import ClientError, Done, Opened, Restart, SaegimClient, Token, Unreachable
from saegim.entrypoints.cli import environment, judgement, listening, texts
from saegim.entrypoints.cli.console import err, fail, out
from saegim.entrypoints.cli.environment import DataFolder
from saegim.entrypoints.cli.language import LOCALE
from saegim.entrypoints.cli.trace import show_trace

KEY_VARIABLE = "SAEGIM_KEY"

Data = Annotated[Path | None, typer.Option(help=texts.HELP_DATA())]
Url = Annotated[str | None, typer.Option(help=texts.HELP_URL())]
KeyFile = Annotated[Path | None, typer.Option(help=texts.HELP_KEY_FILE())]
User = Annotated[str | None, typer.Option(help=texts.HELP_USER())]


@dataclass(frozen=True, slots=True)
class Line:
    """Where to call, with which key, as whom."""

    url: str
    key: str
    user: str | None
    profile: str | None = None

    def open(self) -> SaegimClient:
        return SaegimClient(
            self.url, self.key, user=self.user, profile=self.profile, language=LOCALE
        )


def chat(
    message: Annotated[str | None, typer.Argument(help=texts.HELP_MESSAGE())] = None,
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
    session: Annotated[str | None, typer.Option(help=texts.HELP_SESSION())] = None,
) -> None:
    line = open_line(data, url, key_file, user)
    try:
        if message is not None:
            asyncio.run(_say(line, message, session))
        else:
            _converse(line, session)
    except KeyboardInterrupt:
        err.print(texts.CANCELLED(), style="dim")
        raise typer.Exit(130) from None
    except ClientError as error:
        explain(error, line)


def why(
    turn: Annotated[UUID, typer.Argument(help=texts.HELP_TURN())],
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
    as_json: Annotated[bool, typer.Option("--json", help=texts.HELP_JSON())] = False,
) -> None:
    line = open_line(data, url, key_file, user)

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


def open_line(data: Path | None, url: str | None, key_file: Path | None, user: str | None) -> Line:
    settings = environment.load_for(data)
    place = key_file or DataFolder(settings.data).demo_key
    given = None if key_file else os.environ.get(KEY_VARIABLE)
    key = given or environment.read_private(place)
    if not key:
        fail(texts.NO_KEY(path=place))
    return Line(url or listening.address(settings.host, settings.port), key, user)


def _converse(line: Line, session: str | None) -> None:
    """One message after another, in one session."""
    err.print(texts.TALK(), style="dim")
    talked_in: UUID | None = None
    last = ""
    while True:
        try:
            message = input("> ")
        except EOFError:
            return
        if not message.strip():
            return
        query = judgement.query_of(message)
        if query is not None:
            asyncio.run(_judge(line, talked_in, query or last))
            continue
        last = message
        talked_in = asyncio.run(_say(line, message, session))
        session = None if talked_in is None else str(talked_in)


async def _judge(line: Line, session: UUID | None, query: str) -> None:
    async with line.open() as client:
        await judgement.judge(client, session, query)


async def _say(line: Line, message: str, session: str | None) -> UUID | None:
    """Sends one message and writes the answer as it comes; Ctrl-C stops the turn itself."""
    opened: Opened | None = None
    async with line.open() as client:
        try:
            async for event in client.stream(message, session=session):
                match event:
                    case Opened():
                        opened = event
                    case Token(text=text):
                        out.out(text, end="")
                    case Restart():
                        out.print()
                        err.print(texts.RESTARTED(), style="dim")
                    case Done():
                        out.print()
                        _close(event)
                    case _:
                        continue
        except asyncio.CancelledError:
            if opened is not None:
                await client.cancel(opened.turn_id)
            raise
    return None if opened is None else opened.session_id


def _close(done: Done) -> None:
    """What a reader should know besides the answer, apart from it."""
    reply = done.reply
    for one in reply.citations:
        where = one.document or one.url or one.kind
        err.print(f"[{one.marker}] {one.title} ({where})", style="dim", markup=False)
    if reply.state != "done":
        err.print(texts.UNSETTLED(state=reply.state, error=reply.error or ""), style="yellow")
    if reply.degraded:
        err.print(texts.WITHOUT(parts=", ".join(reply.degraded)), style="yellow")
    err.print(texts.ASK_WHY(turn=reply.turn_id), style="dim")


def explain(error: ClientError, line: Line) -> NoReturn:
    if isinstance(error, Unreachable):
        fail(texts.NO_ANSWER(url=line.url, reason=error))
    fail(str(error))
