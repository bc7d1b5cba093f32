"""`saegim session`: which conversations there are, and what the model would see of one."""

import asyncio
from typing import Annotated
from uuid import UUID

import typer
from rich.cells import cell_len

from saegim.cli import chat
from saegim.cli.console import err, out
from saegim.cli.json_output import report
from saegim.cli.texts import common as texts, session_texts
from saegim.client import Block, ClientError, Session, SessionContext

BAR = 24
# Both are in the character set of Korean consoles that do not speak Unicode.
FULL, EMPTY = "■", "□"

session = typer.Typer(no_args_is_help=True)


@session.callback()
def sessions() -> None:
    pass


@session.command("list", help=session_texts.HELP_LIST())
def listed(
    most: Annotated[int, typer.Option(min=1, help=session_texts.HELP_MOST())] = 20,
    data: chat.Data = None,
    url: chat.Url = None,
    key_file: chat.KeyFile = None,
    user: chat.User = None,
) -> None:
    line = chat.open_line(data, url, key_file, user)
    found: list[Session] = []

    async def ask() -> None:
        async with line.open() as client:
            async for one in client.sessions():
                found.append(one)
                if len(found) == most:
                    return

    try:
        asyncio.run(ask())
    except ClientError as error:
        chat.explain(error, line)
    report(found)
    for one in found:
        told = session_texts.LINE(used=one.used_at, session=one.session_id, turns=one.turns)
        out.print(one.title, markup=False, highlight=False, soft_wrap=True)
        out.print(f"    {told}", style="dim", markup=False, highlight=False, soft_wrap=True)
    if not found:
        out.print(session_texts.NO_SESSIONS())


@session.command("show", help=session_texts.HELP_SHOW())
def show(
    identifier: Annotated[UUID, typer.Argument(metavar="ID", help=session_texts.HELP_ID())],
    data: chat.Data = None,
    url: chat.Url = None,
    key_file: chat.KeyFile = None,
    user: chat.User = None,
    as_json: Annotated[bool, typer.Option("--json", help=texts.HELP_JSON())] = False,
) -> None:
    line = chat.open_line(data, url, key_file, user)

    async def ask() -> SessionContext:
        async with line.open() as client:
            return await client.context(identifier)

    try:
        context = asyncio.run(ask())
    except ClientError as error:
        chat.explain(error, line)
    if as_json:
        typer.echo(context.model_dump_json(indent=2))
    else:
        _print(context)


def bar(tokens: int, budget: int) -> str:
    """How much of a budget is used; a used one is never shown as empty."""
    share = min(1.0, tokens / budget) if budget else 0.0
    full = max(int(share * BAR), 1 if tokens else 0)
    return FULL * full + EMPTY * (BAR - full)


def _print(context: SessionContext) -> None:
    out.print(
        session_texts.HEAD(
            session=context.session_id,
            recorded=context.recorded,
            folds=context.folds,
            through=context.folded_through,
        ),
        soft_wrap=True,
    )
    if context.degraded:
        err.print(texts.WITHOUT(parts=", ".join(context.degraded)), style="yellow")
    for block in context.blocks:
        out.print(_measured(block), soft_wrap=True)
    whole = Block(name="", tokens=context.tokens, budget=context.budget, items=0, dropped=0)
    out.print(_measured(whole), soft_wrap=True)
    _part(session_texts.SUMMARY(), context.summary.splitlines())
    entities = [
        f"{entity.key}: {entity.value}  ({session_texts.TURN(number=entity.turn)})"
        for entity in context.entities
    ]
    _part(session_texts.ENTITIES(), entities)
    turns = [
        f"{session_texts.TURN(number=turn.number)}\n    {session_texts.USER()}: {turn.message}\n"
        f"    {session_texts.ASSISTANT()}: {turn.answer}"
        for turn in context.recent
    ]
    _part(session_texts.RECENT(), turns)


def _measured(block: Block) -> str:
    known = session_texts.BLOCKS.get(block.name)
    name = known() if known else block.name or session_texts.WHOLE()
    padded = name + " " * (10 - cell_len(name))
    used = f"{bar(block.tokens, block.budget)} {block.tokens:>6,} / {block.budget:,}"
    dropped = f"  {session_texts.DROPPED(count=block.dropped)}" if block.dropped else ""
    return f"  {padded}{used}{dropped}"


def _part(title: str, lines: list[str]) -> None:
    out.print(f"\n{title}", style="bold")
    for line in lines or [session_texts.NOTHING()]:
        out.print(f"  {line}", soft_wrap=True)
