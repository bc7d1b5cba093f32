"""What users do with their memory, through the client."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, Concatenate
from uuid import UUID

import typer
from pydantic import ValidationError

from saegim.cli.client_target import ClientTarget, Data, KeyFile, Url, User, explain, open_client
from saegim.cli.console import fail, out
from saegim.cli.json_output import report
from saegim.cli.language import _
from saegim.cli.memory import memory
from saegim.client import ClientError
from saegim.client.memories import Memories
from saegim.client.memory_types import Memory, MemoryExport

Id = Annotated[UUID, typer.Argument(help=_("Memory ID."))]
AsJson = Annotated[bool, typer.Option("--json", help=_("Print JSON."))]
Type = Annotated[
    list[str] | None,
    typer.Option(
        help=_(
            "fact, preference, constraint, decision, todo, timeline, profile or note. "
            "Repeat for several types."
        )
    ),
]
Profile = Annotated[str | None, typer.Option(help=_("Profile name."))]

KINDS = {"pinned": _("pinned"), "record": _("record"), "episode": _("episode")}


def _whose(
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
    profile: Profile = None,
) -> ClientTarget:
    return replace(open_client(data, url, key_file, user), profile=profile)


def command[**P](
    name: str, text: str
) -> Callable[
    [Callable[Concatenate[ClientTarget, P], None]], Callable[Concatenate[ClientTarget, P], None]
]:
    """A command of `saegim memory` whose options say whose memory it is about."""
    options = dict(signature(_whose).parameters)

    def register(
        work: Callable[Concatenate[ClientTarget, P], None],
    ) -> Callable[Concatenate[ClientTarget, P], None]:
        _line, *own = signature(work).parameters.values()

        def run(**given: Any) -> None:
            line = _whose(**{option: given.pop(option) for option in options})
            work(line, **given)  # pyright: ignore[reportCallIssue] - as its signature says

        named = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in (*own, *options.values())]
        run.__signature__ = Signature(named)  # pyright: ignore[reportFunctionMemberAccess] - read by Typer
        run.__annotations__ = {each.name: each.annotation for each in named}
        memory.command(name, help=text)(run)
        return work

    return register


def _with[T](line: ClientTarget, work: Callable[[Memories], Awaitable[T]]) -> T:
    """Runs one piece of work against the memory of whoever is named."""

    async def run() -> T:
        async with line.open() as client:
            return await work(client.memories)

    try:
        return asyncio.run(run())
    except ClientError as error:
        explain(error, line)


@command("list", _("List memories, newest first. Filter by words, years and type."))
def browse(  # noqa: PLR0913 - one option for each way to narrow a list
    line: ClientTarget,
    look_for: Annotated[str, typer.Argument(help=_("Words that must all occur."))] = "",
    from_year: Annotated[int | None, typer.Option("--from", help=_("First year."))] = None,
    to_year: Annotated[int | None, typer.Option("--to", help=_("Last year."))] = None,
    type: Type = None,  # noqa: A002 - the API's word
    forgotten: Annotated[bool, typer.Option(help=_("List forgotten memories."))] = False,
    as_json: AsJson = False,
) -> None:
    async def ask(memories: Memories) -> list[Memory]:
        found = memories.browse(
            look_for,
            from_year=from_year,
            to_year=to_year,
            types=type or (),
            forgotten=forgotten,
        )
        return [each async for each in found]

    found = _with(line, ask)
    if as_json:
        shown = [each.model_dump(mode="json") for each in found]
        typer.echo(json.dumps(shown, ensure_ascii=False, indent=2))
        return
    for each in found:
        _show(each)
    if not found:
        out.print(_("No memories."))


def _tell(each: Memory) -> None:
    report(each)
    _show(each)


def _show(each: Memory) -> None:
    pinned = f"  [{_('pinned')}]" if each.pinned else ""
    out.print(f"{each.said_at:%Y-%m-%d}  {each.content}{pinned}", markup=False, highlight=False)
    out.print(f"            {each.type}  {each.memory_id}", style="dim", markup=False)


@command("timeline", _("Count memories by month."))
def timeline(line: ClientTarget) -> None:
    months = _with(line, lambda memories: memories.timeline())
    report(months)
    for each in months:
        row = _(
            "{year}-{month:02}  {records:>6}",
            year=each.year,
            month=each.month,
            records=each.records,
        )
        out.print(row, highlight=False)
    if not months:
        out.print(_("No memories."))


@command("recall", _("Show which memories a message recalls, and why."))
def recall(
    line: ClientTarget,
    message: Annotated[str, typer.Argument(help=_("Message to recall memories for."))],
    as_json: AsJson = False,
) -> None:
    found = _with(line, lambda memories: memories.recall(message))
    if as_json:
        typer.echo(json.dumps(found.model_dump(mode="json"), ensure_ascii=False, indent=2))
        return
    for each in (*found.pinned, *found.records, *found.episodes):
        kind = KINDS[each.kind]
        text = " ".join(each.text.split())[:160]
        row = f"{each.score:6.2f}  {kind}  {each.said_at:%Y-%m-%d}  {text}"
        out.print(row, markup=False, highlight=False)
    for each in found.dropped:
        text = " ".join(each.text.split())[:100]
        out.print(f"{each.score:6.2f}  {each.fate}  {text}", style="dim", markup=False)


@command("add", _("Add a memory."))
def add(
    line: ClientTarget,
    content: Annotated[str, typer.Argument(help=_("What to remember."))],
    type: Annotated[  # noqa: A002 - the API's word
        str,
        typer.Option(
            help=_(
                "fact, preference, constraint, decision, todo, timeline, profile or note. "
                "Repeat for several types."
            )
        ),
    ] = "note",
    topic: Annotated[str, typer.Option(help=_("Topic."))] = "",
) -> None:
    _tell(_with(line, lambda memories: memories.add(content, type, topic)))


@command("correct", _("Correct a memory. The old content is kept as a version."))
def correct(
    line: ClientTarget,
    identifier: Id,
    content: Annotated[str, typer.Argument(help=_("What to remember."))],
    reason: Annotated[str, typer.Option(help=_("Reason for the change."))] = "",
) -> None:
    changes = {"content": content, "reason": reason}
    _tell(_with(line, lambda memories: memories.correct(identifier, **changes)))


@command("pin", _("Pin a memory, so that it is always in the context."))
def pin(line: ClientTarget, identifier: Id) -> None:
    _tell(_with(line, lambda memories: memories.pin(identifier)))


@command("unpin", _("Unpin a memory."))
def unpin(line: ClientTarget, identifier: Id) -> None:
    _tell(_with(line, lambda memories: memories.pin(identifier, pinned=False)))


@command("retain", _("Set the retention label of a memory. Omit LABEL to remove it."))
def retain(
    line: ClientTarget,
    identifier: Id,
    label: Annotated[
        str | None, typer.Argument(help=_("Label defined in SAEGIM_LABEL_RETENTION_DAYS."))
    ] = None,
) -> None:
    _tell(_with(line, lambda memories: memories.retain(identifier, label)))


@command("consolidate", _("Consolidate old memories into digests by topic now."))
def consolidate(line: ClientTarget) -> None:
    made = _with(line, lambda memories: memories.consolidate())
    report({"digests": made})
    out.print(_("Created {count} digests.", count=made), highlight=False)


@command("sources", _("List the memories behind a digest."))
def list_sources(line: ClientTarget, identifier: Id) -> None:
    sources = _with(line, lambda memories: memories.sources(identifier))
    report(sources)
    for each in sources:
        out.print(f"{each.said_at:%Y-%m-%d}  {each.content}", markup=False, highlight=False)


@command("forget", _("Forget a memory. Undo with `saegim memory undo`."))
def forget(line: ClientTarget, identifier: Id) -> None:
    _with(line, lambda memories: memories.forget(identifier))
    report({"forgotten": identifier})
    out.print(
        _("Forgotten. To undo: saegim memory undo {memory}", memory=identifier), highlight=False
    )


@command("undo", _("Restore a forgotten memory."))
def undo(line: ClientTarget, identifier: Id) -> None:
    _tell(_with(line, lambda memories: memories.undo(identifier)))


@command("versions", _("Show the versions of a memory: who changed it, when and why."))
def list_versions(line: ClientTarget, identifier: Id) -> None:
    versions = _with(line, lambda memories: memories.versions(identifier))
    report(versions)
    for each in versions:
        row = f"{each.version:>3}  {each.at:%Y-%m-%d %H:%M}  {each.content}"
        out.print(row, markup=False, highlight=False)
    for event in _with(line, lambda memories: memories.trail(identifier)):
        row = f"     {event.at:%Y-%m-%d %H:%M}  {event.actor}  {event.action}  {event.reason}"
        out.print(row, style="dim", markup=False, highlight=False)


@command("rollback", _("Roll back to an earlier version."))
def roll_back(
    line: ClientTarget,
    identifier: Id,
    version: Annotated[int, typer.Argument(help=_("Version to roll back to."))],
) -> None:
    _tell(_with(line, lambda memories: memories.roll_back(identifier, version)))


@command("export", _("Export all memories to a JSON file."))
def export(line: ClientTarget, file: Annotated[Path, typer.Argument(help=_("JSON file."))]) -> None:
    if file.exists():
        fail(_("The file already exists: {file}", file=file))
    found = _with(line, lambda memories: memories.export())
    text = json.dumps(found.model_dump(mode="json"), ensure_ascii=False, indent=2)
    # Only its owner may read what was remembered.
    file.touch(mode=0o600)
    file.write_text(text + "\n", "utf-8")
    report({"memories": len(found.memories), "file": file})
    out.print(
        _("Exported {count} memories to {file}.", count=len(found.memories), file=file),
        highlight=False,
    )


@command("import", _("Import an exported file. Importing it twice stores each memory once."))
def take_in(
    line: ClientTarget,
    file: Annotated[Path, typer.Argument(help=_("JSON file."), exists=True, dir_okay=False)],
) -> None:
    try:
        exported = MemoryExport.model_validate_json(file.read_text("utf-8"))
    except (ValidationError, UnicodeDecodeError):
        fail(_("Not an export file: {file}", file=file))
    count = _with(line, lambda memories: memories.take_in(exported))
    report({"memories": count})
    out.print(_("Imported {count} memories.", count=count), highlight=False)
