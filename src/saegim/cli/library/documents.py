"""What users do with documents, through the client: bring them in, list, search, remove them."""

import asyncio
import json
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

from saegim.cli import environment
from saegim.cli.client_target import ClientTarget, Data, KeyFile, Url, User, explain, open_client
from saegim.cli.console import fail, out
from saegim.cli.json_output import report
from saegim.cli.language import _
from saegim.client import ClientError, SaegimClient
from saegim.client.library_types import Ingest, ListedDocument

STATE = {
    "receiving": _("receiving"),
    "waiting": _("waiting"),
    "reading": _("reading"),
    "storing": _("storing"),
    "done": _("done"),
    "failed": _("failed"),
    "cancelled": _("cancelled"),
}
POLL_SECONDS = 0.3

library = typer.Typer(no_args_is_help=True)


def ingest(
    paths: Annotated[list[Path], typer.Argument(help=_("Files or folders."))],
    collection: Annotated[str, typer.Option(help=_("Collection name."))] = "default",
    type: Annotated[  # noqa: A002 - the API's word
        str, typer.Option(help=_("Document type: guide, faq, manual, sop, ts, setup …"))
    ] = "guide",
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
) -> None:
    files = find_files(paths)
    if not files:
        fail(_("No files found: {paths}", paths=" ".join(map(str, paths))))
    line = open_client(data, url, key_file, None)
    try:
        done = asyncio.run(_bring_in(line, files, collection, type))
    except ClientError as error:
        explain(error, line)
    report(done)
    failed = [file for file in done.files if file.state == "failed"]
    for file in failed:
        out.print(f"{file.name}: {file.error}", style="red", markup=False)
    out.print(
        _(
            "{files} files, {passages} passages. Embedded {embedded}, removed "
            "{removed}, failed {failed}.",
            files=len(done.files),
            passages=sum(file.passages for file in done.files),
            embedded=sum(file.embedded for file in done.files),
            removed=sum(file.removed for file in done.files),
            failed=len(failed),
        )
    )
    if failed:
        raise typer.Exit(1)


@library.command("search", help=_("Search documents."))
def search(
    query: Annotated[str, typer.Argument(help=_("Search query."))],
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
    as_json: Annotated[bool, typer.Option("--json", help=_("Print JSON."))] = False,
) -> None:
    line = open_client(data, url, key_file, user)

    async def ask() -> None:
        async with line.open() as client:
            result = await client.search(query)
        if as_json:
            typer.echo(json.dumps(result.model_dump(mode="json"), ensure_ascii=False, indent=2))
            return
        for hit in result.found:
            place = " > ".join(dict.fromkeys([hit.document.title, *hit.path]))
            out.print(f"{hit.score:6.2f}  {place}", style="bold", markup=False)
            out.print(f"        {' '.join(hit.text.split())[:160]}", style="dim", markup=False)
        if not result.found:
            out.print(_("No results."))
        if result.degraded:
            out.print(
                _("Partial results. Unavailable: {parts}", parts=", ".join(result.degraded)),
                style="yellow",
            )

    try:
        asyncio.run(ask())
    except ClientError as error:
        explain(error, line)


@library.command("list", help=_("List documents, newest first."))
def listed(
    words: Annotated[str, typer.Argument(help=_("Words in the title."))] = "",
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
) -> None:
    line = open_client(data, url, key_file, user)

    async def ask() -> list[ListedDocument]:
        async with line.open() as client:
            return [each async for each in client.documents(words)]

    try:
        found = asyncio.run(ask())
    except ClientError as error:
        explain(error, line)
    report(found)
    for each in found:
        out.print(each.title or each.document_id, markup=False, highlight=False, soft_wrap=True)
        details = _(
            "{document_id}  {type}  {collection}  passages {passages}  {updated_at:%Y-%m-%d}",
            **each.model_dump(exclude={"title"}),
        )
        out.print(f"    {details}", style="dim", markup=False, highlight=False, soft_wrap=True)
    if not found:
        out.print(_("No results."))


@library.command("remove", help=_("Delete a document."))
def remove(
    document: Annotated[str, typer.Argument(help=_("Document ID."))],
    yes: Annotated[bool, typer.Option("--yes", help=_("Skip the confirmation prompt."))] = False,
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
) -> None:
    line = open_client(data, url, key_file, None)
    if not yes:
        typer.confirm(_("Delete document {document}?", document=document), abort=True)

    async def ask() -> None:
        async with line.open() as client:
            await client.remove_document(document)

    try:
        asyncio.run(ask())
    except ClientError as error:
        explain(error, line)
    report({"removed": document})
    out.print(_("Deleted document {document}.", document=document), markup=False)


@library.command(
    "reindex", help=_("Rebuild a tenant's search index from the stored passages and embeddings.")
)
def reindex(
    tenant: Annotated[UUID, typer.Option(help=_("Tenant ID."))],
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.cli.operators import tenant_commands  # noqa: PLC0415

    tenant_commands.run(settings, lambda services: tenant_commands.reindex(services, tenant))


def find_files(paths: Sequence[Path]) -> list[tuple[Path, str]]:
    """Every file, with the name it gets: its path below the folder it was found in, in NFC."""
    found: list[tuple[Path, str]] = []
    for path in paths:
        if path.is_file():
            found.append((path, path.name))
        else:
            inside = sorted(file for file in path.rglob("*") if file.is_file())
            found += [
                (file, file.relative_to(path).as_posix())
                for file in inside
                if not any(part.startswith(".") for part in file.relative_to(path).parts)
            ]
    return [(file, unicodedata.normalize("NFC", name)) for file, name in found]


async def _bring_in(
    line: ClientTarget,
    files: Sequence[tuple[Path, str]],
    collection: str,
    type: str,  # noqa: A002
) -> Ingest:
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[state]}"),
    )
    async with line.open() as client:
        opened = await client.open_ingest(collection, type)
        with Progress(*columns, console=out) as progress:
            bars: dict[str, TaskID] = {}
            for path, name in files:
                bars[name] = progress.add_task(name, total=None, state=_("uploading"))
                content = await asyncio.to_thread(path.read_bytes)
                await client.send_file(opened.ingest_id, name, content)
            return await _watch(client, opened.ingest_id, progress, bars)


async def _watch(
    client: SaegimClient, ingest: UUID, progress: Progress, bars: dict[str, TaskID]
) -> Ingest:
    while True:
        now = await client.ingest(ingest)
        for file in now.files:
            progress.update(
                bars[file.name],
                total=file.passages or None,
                completed=file.stored,
                state=STATE[file.state],
            )
        if now.over:
            return now
        await asyncio.sleep(POLL_SECONDS)
