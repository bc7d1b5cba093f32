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

from saegim.cli.client_target import Data, KeyFile, Line, Url, User, explain, open_line
from saegim.cli.console import fail, out
from saegim.cli.json_output import report
from saegim.cli.memory import memory
from saegim.cli.texts import common as texts, memory_records_texts as words
from saegim.client import ClientError
from saegim.client.memories import Memories
from saegim.client.memory_types import Memory, MemoryExport

Id = Annotated[UUID, typer.Argument(help=words.HELP_MEMORY())]
AsJson = Annotated[bool, typer.Option("--json", help=texts.HELP_JSON())]
Type = Annotated[list[str] | None, typer.Option(help=words.HELP_TYPE())]
Profile = Annotated[str | None, typer.Option(help=words.HELP_PROFILE())]


def _whose(
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
    profile: Profile = None,
) -> Line:
    return replace(open_line(data, url, key_file, user), profile=profile)


def command[**P](
    name: str, text: str
) -> Callable[[Callable[Concatenate[Line, P], None]], Callable[Concatenate[Line, P], None]]:
    """A command of `saegim memory` whose options say whose memory it is about."""
    options = dict(signature(_whose).parameters)

    def register(
        work: Callable[Concatenate[Line, P], None],
    ) -> Callable[Concatenate[Line, P], None]:
        _, *own = signature(work).parameters.values()

        def run(**given: Any) -> None:
            line = _whose(**{option: given.pop(option) for option in options})
            work(line, **given)  # pyright: ignore[reportCallIssue] - as its signature says

        named = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in (*own, *options.values())]
        run.__signature__ = Signature(named)  # pyright: ignore[reportFunctionMemberAccess] - read by Typer
        run.__annotations__ = {each.name: each.annotation for each in named}
        memory.command(name, help=text)(run)
        return work

    return register


def _with[T](line: Line, work: Callable[[Memories], Awaitable[T]]) -> T:
    """Runs one piece of work against the memory of whoever is named."""

    async def run() -> T:
        async with line.open() as client:
            return await work(client.memories)

    try:
        return asyncio.run(run())
    except ClientError as error:
        explain(error, line)


@command("list", words.HELP_LIST())
def browse(  # noqa: PLR0913 - one option for each way to narrow a list
    line: Line,
    look_for: Annotated[str, typer.Argument(help=words.HELP_WORDS())] = "",
    from_year: Annotated[int | None, typer.Option("--from", help=words.HELP_FROM())] = None,
    to_year: Annotated[int | None, typer.Option("--to", help=words.HELP_TO())] = None,
    type: Type = None,  # noqa: A002 - the API's word
    forgotten: Annotated[bool, typer.Option(help=words.HELP_FORGOTTEN())] = False,
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
        out.print(words.NOTHING())


def _tell(each: Memory) -> None:
    report(each)
    _show(each)


def _show(each: Memory) -> None:
    pinned = f"  [{words.PINNED()}]" if each.pinned else ""
    out.print(f"{each.said_at:%Y-%m-%d}  {each.content}{pinned}", markup=False, highlight=False)
    out.print(f"            {each.type}  {each.memory_id}", style="dim", markup=False)


@command("timeline", words.HELP_TIMELINE())
def timeline(line: Line) -> None:
    months = _with(line, lambda memories: memories.timeline())
    report(months)
    for each in months:
        row = words.MONTH(year=each.year, month=each.month, records=each.records)
        out.print(row, highlight=False)
    if not months:
        out.print(words.NOTHING())


@command("recall", words.HELP_RECALL())
def recall(
    line: Line,
    message: Annotated[str, typer.Argument(help=words.HELP_MESSAGE())],
    as_json: AsJson = False,
) -> None:
    found = _with(line, lambda memories: memories.recall(message))
    if as_json:
        typer.echo(json.dumps(found.model_dump(mode="json"), ensure_ascii=False, indent=2))
        return
    for each in (*found.pinned, *found.records, *found.episodes):
        kind = words.KINDS[each.kind]()
        text = " ".join(each.text.split())[:160]
        row = f"{each.score:6.2f}  {kind}  {each.said_at:%Y-%m-%d}  {text}"
        out.print(row, markup=False, highlight=False)
    for each in found.dropped:
        text = " ".join(each.text.split())[:100]
        out.print(f"{each.score:6.2f}  {each.fate}  {text}", style="dim", markup=False)


@command("add", words.HELP_ADD())
def add(
    line: Line,
    content: Annotated[str, typer.Argument(help=words.HELP_CONTENT())],
    type: Annotated[str, typer.Option(help=words.HELP_TYPE())] = "note",  # noqa: A002
    topic: Annotated[str, typer.Option(help=words.HELP_TOPIC())] = "",
) -> None:
    _tell(_with(line, lambda memories: memories.add(content, type, topic)))


@command("correct", words.HELP_CORRECT())
def correct(
    line: Line,
    identifier: Id,
    content: Annotated[str, typer.Argument(help=words.HELP_CONTENT())],
    reason: Annotated[str, typer.Option(help=words.HELP_REASON())] = "",
) -> None:
    changes = {"content": content, "reason": reason}
    _tell(_with(line, lambda memories: memories.correct(identifier, **changes)))


@command("pin", words.HELP_PIN())
def pin(line: Line, identifier: Id) -> None:
    _tell(_with(line, lambda memories: memories.pin(identifier)))


@command("unpin", words.HELP_UNPIN())
def unpin(line: Line, identifier: Id) -> None:
    _tell(_with(line, lambda memories: memories.pin(identifier, pinned=False)))


@command("retain", words.HELP_RETAIN())
def retain(
    line: Line,
    identifier: Id,
    label: Annotated[str | None, typer.Argument(help=words.HELP_LABEL())] = None,
) -> None:
    _tell(_with(line, lambda memories: memories.retain(identifier, label)))


@command("consolidate", words.HELP_CONSOLIDATE())
def consolidate(line: Line) -> None:
    made = _with(line, lambda memories: memories.consolidate())
    report({"digests": made})
    out.print(words.CONSOLIDATED(count=made), highlight=False)


@command("sources", words.HELP_SOURCES())
def list_sources(line: Line, identifier: Id) -> None:
    sources = _with(line, lambda memories: memories.sources(identifier))
    report(sources)
    for each in sources:
        out.print(f"{each.said_at:%Y-%m-%d}  {each.content}", markup=False, highlight=False)


@command("forget", words.HELP_FORGET())
def forget(line: Line, identifier: Id) -> None:
    _with(line, lambda memories: memories.forget(identifier))
    report({"forgotten": identifier})
    out.print(words.FORGOTTEN(memory=identifier), highlight=False)


@command("undo", words.HELP_UNDO())
def undo(line: Line, identifier: Id) -> None:
    _tell(_with(line, lambda memories: memories.undo(identifier)))


@command("versions", words.HELP_VERSIONS())
def list_versions(line: Line, identifier: Id) -> None:
    versions = _with(line, lambda memories: memories.versions(identifier))
    report(versions)
    for each in versions:
        row = f"{each.version:>3}  {each.at:%Y-%m-%d %H:%M}  {each.content}"
        out.print(row, markup=False, highlight=False)
    for event in _with(line, lambda memories: memories.trail(identifier)):
        row = f"     {event.at:%Y-%m-%d %H:%M}  {event.actor}  {event.action}  {event.reason}"
        out.print(row, style="dim", markup=False, highlight=False)


@command("rollback", words.HELP_ROLLBACK())
def roll_back(
    line: Line,
    identifier: Id,
    version: Annotated[int, typer.Argument(help=words.HELP_VERSION())],
) -> None:
    _tell(_with(line, lambda memories: memories.roll_back(identifier, version)))


@command("export", words.HELP_EXPORT())
def export(line: Line, file: Annotated[Path, typer.Argument(help=words.HELP_FILE())]) -> None:
    if file.exists():
        fail(words.EXISTS(file=file))
    found = _with(line, lambda memories: memories.export())
    text = json.dumps(found.model_dump(mode="json"), ensure_ascii=False, indent=2)
    # Only its owner may read what was remembered.
    file.touch(mode=0o600)
    file.write_text(text + "\n", "utf-8")
    report({"memories": len(found.memories), "file": file})
    out.print(words.EXPORTED(count=len(found.memories), file=file), highlight=False)


@command("import", words.HELP_IMPORT())
def take_in(
    line: Line,
    file: Annotated[Path, typer.Argument(help=words.HELP_FILE(), exists=True, dir_okay=False)],
) -> None:
    try:
        exported = MemoryExport.model_validate_json(file.read_text("utf-8"))
    except (ValidationError, UnicodeDecodeError):
        fail(words.NOT_AN_EXPORT(file=file))
    count = _with(line, lambda memories: memories.take_in(exported))
    report({"memories": count})
    out.print(words.IMPORTED(count=count), highlight=False)
