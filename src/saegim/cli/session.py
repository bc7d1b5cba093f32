"""`saegim session`: which conversations there are, and what the model would see of one."""

import asyncio
from typing import Annotated
from uuid import UUID

import typer
from rich.cells import cell_len

from saegim.cli import chat
from saegim.cli.console import err, out
from saegim.cli.json_output import report
from saegim.cli.language import _
from saegim.client import Block, ClientError, Session, SessionContext

BLOCKS = {
    "system": _("system"),
    "summary": _("summary"),
    "entities": _("entities"),
    "recent": _("recent"),
    "message": _("message"),
}
BAR = 24
# Both are in the character set of Korean consoles that do not speak Unicode.
FULL, EMPTY = "■", "□"

session = typer.Typer(no_args_is_help=True)


@session.callback()
def sessions() -> None:
    pass


@session.command("list", help=_("List conversations, most recently used first."))
def listed(
    most: Annotated[int, typer.Option(min=1, help=_("Maximum number of results."))] = 20,
    data: chat.Data = None,
    url: chat.Url = None,
    key_file: chat.KeyFile = None,
    user: chat.User = None,
) -> None:
    line = chat.open_client(data, url, key_file, user)
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
        details = _(
            "{used:%Y-%m-%d %H:%M} UTC  {session}  turns {turns}",
            used=one.used_at,
            session=one.session_id,
            turns=one.turns,
        )
        out.print(one.title, markup=False, highlight=False, soft_wrap=True)
        out.print(f"    {details}", style="dim", markup=False, highlight=False, soft_wrap=True)
    if not found:
        out.print(_("No conversations."))


@session.command(
    "show",
    help=_(
        "Show the context the model would get for the next message: summary, "
        "entities, recent turns and tokens."
    ),
)
def show(
    identifier: Annotated[UUID, typer.Argument(metavar="ID", help=_("Session ID."))],
    data: chat.Data = None,
    url: chat.Url = None,
    key_file: chat.KeyFile = None,
    user: chat.User = None,
    as_json: Annotated[bool, typer.Option("--json", help=_("Print JSON."))] = False,
) -> None:
    line = chat.open_client(data, url, key_file, user)

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
        _(
            "Session {session}: {turns} turns, {summaries} summaries (through turn {through})",
            session=context.session_id,
            turns=context.completed_turns,
            summaries=context.summary_version,
            through=context.summarised_through,
        ),
        soft_wrap=True,
    )
    if context.degraded:
        err.print(
            _("(unavailable components: {parts})", parts=", ".join(context.degraded)),
            style="yellow",
        )
    for block in context.blocks:
        out.print(_measured(block), soft_wrap=True)
    whole = Block(name="", tokens=context.tokens, budget=context.budget, items=0, dropped=0)
    out.print(_measured(whole), soft_wrap=True)
    _part(_("Summary"), context.summary.splitlines())
    entities = [
        f"{entity.key}: {entity.value}  ({_('turn {number}', number=entity.turn)})"
        for entity in context.entities
    ]
    _part(_("Entities"), entities)
    turns = [
        f"{_('turn {number}', number=turn.number)}\n    {_('user')}: {turn.message}\n"
        f"    {_('answer')}: {turn.answer}"
        for turn in context.recent
    ]
    _part(_("Recent turns"), turns)


def _measured(block: Block) -> str:
    name = BLOCKS.get(block.name, block.name) or _("total")
    padded = name + " " * (10 - cell_len(name))
    used = f"{bar(block.tokens, block.budget)} {block.tokens:>6,} / {block.budget:,}"
    dropped = f"  {_('{count} dropped', count=block.dropped)}" if block.dropped else ""
    return f"  {padded}{used}{dropped}"


def _part(title: str, lines: list[str]) -> None:
    out.print(f"\n{title}", style="bold")
    for line in lines or [_("(nothing yet)")]:
        out.print(f"  {line}", soft_wrap=True)
