"""`saegim memory`: the memory records of a user, through the API."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer
from pydantic import ValidationError

from saegim.cli.client_target import PROFILE_OPTIONS, ClientTarget, Work, client_command
from saegim.cli.console import echo, fail, local_date, local_time, say
from saegim.cli.json_output import report, report_list
from saegim.cli.language import _
from saegim.cli.memory import memory
from saegim.client.memory_types import DerivedMemory, Memory, MemoryExport, TeamMemory
from saegim.locales import N_

Id = Annotated[UUID, typer.Argument(help=_("Memory ID."))]
DerivedId = Annotated[UUID, typer.Argument(help=_("ID of a conclusion."))]
Content = Annotated[str, typer.Argument(help=_("What to remember."))]
TYPE = typer.Option(
    help=_(
        "fact, preference, constraint, decision, todo, timeline, profile or note. "
        "Repeat for several types."
    )
)
KINDS = {"pinned": _("pinned"), "record": _("record"), "episode": _("episode")}


def command[**P](name: str, text: str) -> Callable[[Work[P]], None]:
    return client_command(memory, name, text, PROFILE_OPTIONS)


@command("list", _("List memories, newest first. Filter by words, years and type."))
def browse(
    target: ClientTarget,
    words: Annotated[str, typer.Argument(help=_("Words that must all occur."))] = "",
    from_year: Annotated[int | None, typer.Option("--from", help=_("First year."))] = None,
    to_year: Annotated[int | None, typer.Option("--to", help=_("Last year."))] = None,
    type: Annotated[list[str] | None, TYPE] = None,  # noqa: A002 - the API's word
    forgotten: Annotated[bool, typer.Option(help=_("List forgotten memories."))] = False,
) -> None:
    memories = target.collect(
        lambda client: client.memories.browse(
            words, from_year=from_year, to_year=to_year, types=type or (), forgotten=forgotten
        )
    )
    for each in report_list(memories, N_("No memories.")):
        _show(each)


def _show(each: Memory) -> None:
    pinned = f"  [{_('pinned')}]" if each.pinned else ""
    echo(f"{local_date(each.said_at)}  {each.content}{pinned}")
    echo(f"            {each.type}  {each.memory_id}", style="dim")


@command("timeline", _("Count memories by month."))
def timeline(target: ClientTarget) -> None:
    months = target.call(lambda client: client.memories.timeline())
    for each in report_list(months, N_("No memories.")):
        say("{year}-{month:02}  {records:>6}", **each.model_dump())


@command("recall", _("Show which memories a message recalls, and why."))
def recall(
    target: ClientTarget,
    message: Annotated[str, typer.Argument(help=_("Message to recall memories for."))],
) -> None:
    recalled = report(target.call(lambda client: client.memories.recall(message)))
    for each in (*recalled.pinned, *recalled.records, *recalled.episodes):
        text = " ".join(each.text.split())[:160]
        echo(f"{each.score:6.2f}  {KINDS[each.kind]}  {local_date(each.said_at)}  {text}")
    for each in recalled.dropped:
        text = " ".join(each.text.split())[:100]
        echo(f"{each.score:6.2f}  {each.fate}  {text}", style="dim")


@command("ask", _("Answer a question about you from your memory, with its sources."))
def ask(
    target: ClientTarget,
    question: Annotated[str, typer.Argument(help=_("Question about you."))],
) -> None:
    answer = report(target.call(lambda client: client.memories.ask(question)))
    echo(answer.text)
    for each in answer.citations:
        text = " ".join((each.quote or each.text).split())[:160]
        echo(f"  [{each.marker}]  {local_date(each.said_at)}  {text}", style="dim")
    if answer.outcome == "answered":
        say("Confidence: {percent} %", percent=round(100 * answer.confidence))


@command("add", _("Add a memory."))
def add(
    target: ClientTarget,
    content: Content,
    type: Annotated[str, TYPE] = "note",  # noqa: A002 - the API's word
    topic: Annotated[str, typer.Option(help=_("Topic."))] = "",
) -> None:
    _show(report(target.call(lambda client: client.memories.add(content, type, topic))))


@command("correct", _("Correct a memory. The old content is kept as a version."))
def correct(
    target: ClientTarget,
    identifier: Id,
    content: Content,
    reason: Annotated[str, typer.Option(help=_("Reason for the change."))] = "",
) -> None:
    changes = {"content": content, "reason": reason}
    _show(report(target.call(lambda client: client.memories.correct(identifier, **changes))))


@command("pin", _("Pin a memory, so that it is always in the context."))
def pin(target: ClientTarget, identifier: Id) -> None:
    _show(report(target.call(lambda client: client.memories.pin(identifier))))


@command("unpin", _("Unpin a memory."))
def unpin(target: ClientTarget, identifier: Id) -> None:
    _show(report(target.call(lambda client: client.memories.pin(identifier, pinned=False))))


@command("confirm", _("Say that an unsure memory still holds."))
def confirm(target: ClientTarget, identifier: Id) -> None:
    _show(report(target.call(lambda client: client.memories.confirm(identifier))))


@command("retain", _("Set the retention label of a memory. Omit LABEL to remove it."))
def retain(
    target: ClientTarget,
    identifier: Id,
    label: Annotated[
        str | None, typer.Argument(help=_("Label defined in SAEGIM_LABEL_RETENTION_DAYS."))
    ] = None,
) -> None:
    _show(report(target.call(lambda client: client.memories.retain(identifier, label))))


@command("consolidate", _("Consolidate old memories into digests by topic now."))
def consolidate(target: ClientTarget) -> None:
    digests = target.call(lambda client: client.memories.consolidate())
    report({"digests": digests})
    say("Created {count} digests.", count=digests)


@command("sources", _("List the memories behind a digest."))
def list_sources(target: ClientTarget, identifier: Id) -> None:
    for each in report(target.call(lambda client: client.memories.sources(identifier))):
        echo(f"{local_date(each.said_at)}  {each.content}")


@command("profile", _("Show what Saegim concludes about you, and why."))
def show_profile(
    target: ClientTarget,
    kind: Annotated[
        list[str] | None,
        typer.Option(help=_("observation, profile or entity. Repeat for several kinds.")),
    ] = None,
) -> None:
    derived = target.call(lambda client: client.memories.derived(*(kind or ())))
    for each in report_list(derived, N_("No conclusions yet.")):
        _show_derived(each)


DERIVED_KINDS = {
    "profile": N_("About you"),
    "observation": N_("Observed"),
    "entity": N_("People and things"),
}


def _show_derived(each: DerivedMemory) -> None:
    undone = f"  [{_('undone')}]" if each.undone else ""
    kind = _(DERIVED_KINDS.get(each.kind, each.kind))
    heading = f"{kind} · {each.title}" if each.title else kind
    echo(f"{heading}: {' / '.join(each.content.splitlines())}{undone}")
    echo(f"            {each.confidence:.2f}  {each.derived_id}", style="dim")
    for source in each.sources:
        echo(f"            {local_date(source.said_at)}  {source.content}", style="dim")


@command("profile-undo", _("Take back a conclusion. The memories behind it stay."))
def undo_derived(target: ClientTarget, identifier: DerivedId) -> None:
    _show_derived(report(target.call(lambda client: client.memories.undo_derived(identifier))))


@command("profile-restore", _("Restore a conclusion that was taken back."))
def restore_derived(target: ClientTarget, identifier: DerivedId) -> None:
    _show_derived(report(target.call(lambda client: client.memories.restore_derived(identifier))))


@command("team", _("List what the team shares, newest first."))
def list_team(
    target: ClientTarget,
    words: Annotated[str, typer.Argument(help=_("Words that must all occur."))] = "",
) -> None:
    shared = target.collect(lambda client: client.memories.team(words))
    for each in report_list(shared, N_("The team shares no memories yet.")):
        _show_shared(each)


@command("share", _("Share a memory with the team."))
def share(target: ClientTarget, identifier: Id) -> None:
    _show_shared(report(target.call(lambda client: client.memories.share(identifier))))


def _show_shared(shared: TeamMemory) -> None:
    people = ", ".join(each.name for each in shared.contributions)
    echo(f"{local_date(shared.said_at)}  {shared.content}")
    echo(f"            {shared.collection} · {people}  {shared.team_memory_id}", style="dim")


@command("forget", _("Forget a memory. Undo with `saegim memory undo`."))
def forget(target: ClientTarget, identifier: Id) -> None:
    target.call(lambda client: client.memories.forget(identifier))
    report({"forgotten": identifier})
    say("Forgotten. To undo: saegim memory undo {memory}", memory=identifier)


@command("undo", _("Restore a forgotten memory."))
def undo(target: ClientTarget, identifier: Id) -> None:
    _show(report(target.call(lambda client: client.memories.undo(identifier))))


@command("versions", _("Show the versions of a memory: who changed it, when and why."))
def list_versions(target: ClientTarget, identifier: Id) -> None:
    for each in report(target.call(lambda client: client.memories.versions(identifier))):
        echo(f"{each.version:>3}  {local_time(each.at)}  {each.content}")
    for event in target.call(lambda client: client.memories.trail(identifier)):
        row = f"     {local_time(event.at)}  {event.actor}  {event.action}  {event.reason}"
        echo(row, style="dim")


@command("rollback", _("Roll back to an earlier version."))
def roll_back(
    target: ClientTarget,
    identifier: Id,
    version: Annotated[int, typer.Argument(help=_("Version to roll back to."))],
) -> None:
    _show(report(target.call(lambda client: client.memories.roll_back(identifier, version))))


@command("export", _("Export all memories to a JSON file."))
def export(
    target: ClientTarget, file: Annotated[Path, typer.Argument(help=_("JSON file."))]
) -> None:
    if file.exists():
        fail("The file already exists: {file}", file=file)
    exported = target.call(lambda client: client.memories.export())
    text = json.dumps(exported.model_dump(mode="json"), ensure_ascii=False, indent=2)
    # Only its owner may read memories.
    file.touch(mode=0o600)
    file.write_text(text + "\n", "utf-8")
    count = len(exported.memories)
    report({"memories": count, "file": file})
    say("Exported {count} memories to {file}.", count=count, file=file)


@command("import", _("Import an exported file. Importing it twice stores each memory once."))
def import_memories(
    target: ClientTarget,
    file: Annotated[Path, typer.Argument(help=_("JSON file."), exists=True, dir_okay=False)],
) -> None:
    try:
        exported = MemoryExport.model_validate_json(file.read_text("utf-8"))
    except (ValidationError, UnicodeDecodeError):
        fail("Not an export file: {file}", file=file)
    count = target.call(lambda client: client.memories.take_in(exported))
    report({"memories": count})
    say("Imported {count} memories.", count=count)
