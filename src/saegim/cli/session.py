"""`saegim session`: lists conversations, and shows the context the model would get for one."""

from typing import Annotated
from uuid import UUID

import typer
from rich.cells import cell_len

from saegim.cli.client_target import ClientTarget, client_command
from saegim.cli.console import echo, local_time, say, warn
from saegim.cli.json_output import report, report_list
from saegim.cli.language import _
from saegim.client import Block, SessionContext
from saegim.locales import N_

BLOCKS = {
    "system": _("system"),
    "summary": _("summary"),
    "entities": _("entities"),
    "recent": _("recent"),
    "message": _("message"),
}
BAR = 24
# Both are in the Korean character set of consoles without Unicode.
FULL, EMPTY = "■", "□"

session = typer.Typer(no_args_is_help=True)


@client_command(session, "list", _("List conversations, most recently used first."))
def list_sessions(
    target: ClientTarget,
    most: Annotated[int, typer.Option(min=1, help=_("Maximum number of results."))] = 20,
) -> None:
    sessions = target.collect(lambda client: client.sessions(), most)
    for each in report_list(sessions, N_("No conversations.")):
        details = _(
            "{used}  {session}  turns {turns}",
            used=local_time(each.used_at),
            session=each.session_id,
            turns=each.turns,
        )
        echo(each.title)
        echo(f"    {details}", style="dim")


@client_command(
    session,
    "show",
    _(
        "Show the context the model would get for the next message: summary, "
        "entities, recent turns and tokens."
    ),
)
def show(
    target: ClientTarget,
    identifier: Annotated[UUID, typer.Argument(metavar="ID", help=_("Session ID."))],
) -> None:
    _print(report(target.call(lambda client: client.context(identifier))))


def bar(tokens: int, budget: int) -> str:
    """Return how much of a budget is used; if any is used, the bar is not empty."""
    share = min(1.0, tokens / budget) if budget else 0.0
    full = max(int(share * BAR), 1 if tokens else 0)
    return FULL * full + EMPTY * (BAR - full)


def _print(context: SessionContext) -> None:
    say(
        "Session {session}: {turns} turns, {summaries} summaries (through turn {through})",
        session=context.session_id,
        turns=context.completed_turns,
        summaries=context.summary_version,
        through=context.summarised_through,
    )
    if context.degraded:
        warn("(unavailable components: {parts})", parts=", ".join(context.degraded))
    total = Block(name="", tokens=context.tokens, budget=context.budget, items=0, dropped=0)
    for block in (*context.blocks, total):
        echo(_usage(block))
    _section(_("Summary"), context.summary.splitlines())
    entities = [
        f"{entity.key}: {entity.value}  ({_('turn {number}', number=entity.turn)})"
        for entity in context.entities
    ]
    _section(_("Entities"), entities)
    turns = [
        f"{_('turn {number}', number=turn.number)}\n    {_('user')}: {turn.message}\n"
        f"    {_('answer')}: {turn.answer}"
        for turn in context.recent
    ]
    _section(_("Recent turns"), turns)


def _usage(block: Block) -> str:
    name = BLOCKS.get(block.name, block.name) or _("total")
    padded = name + " " * (10 - cell_len(name))
    used = f"{bar(block.tokens, block.budget)} {block.tokens:>6,} / {block.budget:,}"
    dropped = f"  {_('{count} dropped', count=block.dropped)}" if block.dropped else ""
    return f"  {padded}{used}{dropped}"


def _section(title: str, lines: list[str]) -> None:
    echo(f"\n{title}", style="bold")
    for line in lines or [_("(nothing yet)")]:
        echo(f"  {line}")
