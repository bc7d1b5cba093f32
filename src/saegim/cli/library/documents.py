"""`saegim ingest` and `saegim library`: documents, through the API."""

import asyncio
import time
import unicodedata
from collections.abc import Callable, Sequence
from hashlib import file_digest
from itertools import batched
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from saegim.cli.client_target import ClientTarget, Yes, client_command
from saegim.cli.console import echo, fail, local_date, out, say
from saegim.cli.json_output import report, report_list
from saegim.cli.language import _
from saegim.cli.service_commands import Tenant, service_command
from saegim.client import SaegimClient
from saegim.client.library_types import Ingest, IngestedFile, ListedDocument
from saegim.locales import N_

if TYPE_CHECKING:
    from saegim.app.container import Services

POLL_SECONDS = 0.3
# Fewer than the server accepts of one user, so that other commands still get through.
UPLOADS_AT_ONCE = 4
# As many as the server accepts.
HASHES_AT_ONCE = 1_000
OVER = frozenset({"done", "failed", "cancelled"})
# Fewer passages are embedded before an estimate is worth reading.
LONG = 500
# Documents belong to the tenant: these commands act as no user.
TENANT_OPTIONS = ("data", "url", "key_file")

library = typer.Typer(no_args_is_help=True)


class FolderImport(Ingest):
    """The ingest of the files that changed, and the number of the others."""

    unchanged: int


def ingest(
    target: ClientTarget,
    paths: Annotated[list[Path], typer.Argument(help=_("Files or folders."))],
    collection: Annotated[str, typer.Option(help=_("Collection name."))] = "default",
    type: Annotated[  # noqa: A002 - the API's word
        str, typer.Option(help=_("Document type: guide, faq, manual, sop, ts, setup …"))
    ] = "guide",
) -> None:
    files = find_files(paths)
    if not files:
        fail("No files found: {paths}", paths=" ".join(map(str, paths)))
    done = report(target.call(lambda client: upload(client, files, collection, type)))
    print_summary(done)
    if any(file.state == "failed" for file in done.files):
        raise typer.Exit(1)


@client_command(library, "search", _("Search documents."))
def search(
    target: ClientTarget, query: Annotated[str, typer.Argument(help=_("Search query."))]
) -> None:
    result = report(target.call(lambda client: client.search(query)))
    for hit in result.found:
        path = " > ".join(dict.fromkeys([hit.document.title, *hit.path]))
        echo(f"{hit.score:6.2f}  {path}", style="bold")
        echo(f"        {' '.join(hit.text.split())[:160]}", style="dim")
    if not result.found:
        say("No results.")
    if result.degraded:
        parts = ", ".join(result.degraded)
        say("Partial results. Unavailable: {parts}", style="yellow", parts=parts)


@client_command(library, "list", _("List documents, newest first."))
def list_documents(
    target: ClientTarget,
    words: Annotated[str, typer.Argument(help=_("Words in the title."))] = "",
    failed: Annotated[bool, typer.Option("--failed", help=_("Only what failed."))] = False,
    stale: Annotated[bool, typer.Option("--stale", help=_("Only outdated documents."))] = False,
    duplicates: Annotated[
        bool, typer.Option("--duplicates", help=_("Only documents with copies."))
    ] = False,
) -> None:
    filters = {"state": "failed"} if failed else {}
    if stale or duplicates:
        filters["only"] = "stale" if stale else "duplicate"
    documents = target.collect(lambda client: client.documents(words, **filters))
    for each in report_list(documents, N_("No results.")):
        echo(each.title or each.document_id)
        details = _(
            "{document_id}  {type}  {collection}  passages {passages}  {updated}",
            updated=local_date(each.updated_at),
            **each.model_dump(exclude={"title", "updated_at"}),
        )
        echo(f"    {details}", style="dim")
        for line in trust_lines(each):
            echo(f"    {line}", style="dim")


def trust_lines(document: ListedDocument) -> list[str]:
    """Return where a document comes from, how old it is, its copies, and why it failed."""
    origin = document.source or document.uploaded_by or document.origin
    seen = document.last_seen_at or document.updated_at
    lines = [_("from {origin}  last seen {seen}", origin=origin, seen=local_date(seen))]
    if document.is_stale and document.changed_at is not None:
        lines.append(_("outdated: last changed {date}", date=local_date(document.changed_at)))
    for copy in document.copies:
        text = N_("same text as {title}") if copy.is_exact else N_("nearly the same as {title}")
        # Copies often have the title, too.
        name = copy.document_id if copy.title == document.title else copy.title
        lines.append(_(text, title=name))
    return lines if document.message is None else [*lines, document.message]


@client_command(library, "remove", _("Delete a document."), TENANT_OPTIONS)
def remove(
    target: ClientTarget,
    document: Annotated[str, typer.Argument(help=_("Document ID."))],
    yes: Yes = False,
) -> None:
    if not yes:
        typer.confirm(_("Delete document {document}?", document=document), abort=True)
    target.call(lambda client: client.remove_document(document))
    report({"removed": document})
    say("Deleted document {document}.", document=document)


@service_command(
    library,
    "reindex",
    _("Rebuild a tenant's search index from the stored passages and embeddings."),
)
async def reindex(services: "Services", tenant: Tenant) -> None:
    """Queue the rebuild behind the pending changes of the index."""
    from saegim.jobs.types import Job, JobKind  # noqa: PLC0415
    from saegim.library.jobs import index_lock  # noqa: PLC0415

    job = Job(JobKind.REBUILD_INDEX, tenant, tenant, lock=index_lock(tenant))
    cell = await services.db.cells.for_tenant(tenant)
    async with cell.transaction(tenant) as connection:
        queued = await services.jobs.queue.defer(connection, job)
    report({"job": queued})
    say("Job {job} will rebuild the index.", job=queued)


def find_files(paths: Sequence[Path]) -> list[tuple[Path, str]]:
    """Return every file with its name: the path below the given folder, in NFC."""
    files: list[tuple[Path, str]] = []
    for path in paths:
        if path.is_file():
            files.append((path, path.name))
        else:
            inside = sorted(file for file in path.rglob("*") if file.is_file())
            files += [
                (file, file.relative_to(path).as_posix())
                for file in inside
                if not any(part.startswith(".") for part in file.relative_to(path).parts)
            ]
    return [(file, unicodedata.normalize("NFC", name)) for file, name in files]


async def upload(
    client: SaegimClient,
    files: Sequence[tuple[Path, str]],
    collection: str,
    type: str,  # noqa: A002 - the API's word
) -> FolderImport:
    """Send files that changed, and wait until all of them are stored, with one bar for both."""
    opened = await client.open_ingest(collection, type)
    unchanged = await find_unchanged(client, opened.ingest_id, files)
    slots, estimate = asyncio.Semaphore(UPLOADS_AT_ONCE), Estimate()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=out) as progress:
        bar = progress.add_task(_("uploading"), total=len(files), completed=len(unchanged))

        async def send(path: Path, name: str) -> None:
            async with slots:
                content = await asyncio.to_thread(path.read_bytes)
                await client.send_file(opened.ingest_id, name, content)
                progress.advance(bar)

        changed = [(path, name) for path, name in files if name not in unchanged]
        # Files are imported in the order they arrive: small ones are searchable first.
        changed.sort(key=lambda each: each[0].stat().st_size)
        await asyncio.gather(*(send(path, name) for path, name in changed))
        while True:
            now = await client.ingest(opened.ingest_id)
            over = len(unchanged) + sum(file.state in OVER for file in now.files)
            progress.update(bar, description=estimate.text(now.files), completed=over)
            if now.over:
                return FolderImport(**now.model_dump(), unchanged=len(unchanged))
            await asyncio.sleep(POLL_SECONDS)


class Estimate:
    """What is left of an ingest, by the pace since the first passage of its current file."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._starts: dict[str, tuple[float, int]] = {}

    def text(self, files: Sequence[IngestedFile]) -> str:
        """Return the number of passages to embed and the time they take, if they are many."""
        for file in files:
            left = file.passages - file.stored
            if file.state != "storing" or left < LONG:
                continue
            began, stored = self._starts.setdefault(file.name, (self._now(), file.stored))
            if file.stored <= stored:
                return _("embedding {left} passages", left=f"{left:,}")
            minutes = left * (self._now() - began) / (file.stored - stored) / 60
            return _(
                "embedding {left} passages, about {minutes} min left",
                left=f"{left:,}",
                minutes=f"{max(1, round(minutes)):,}",
            )
        return _("processing")


async def find_unchanged(
    client: SaegimClient, ingest: UUID, files: Sequence[tuple[Path, str]]
) -> set[str]:
    """Return the names of files that the server has just so."""
    unchanged: set[str] = set()
    for batch in batched(files, HASHES_AT_ONCE):
        hashes = await asyncio.to_thread(hashes_of, batch)
        unchanged |= await client.unchanged_files(ingest, hashes)
    return unchanged


def hashes_of(files: Sequence[tuple[Path, str]]) -> dict[str, str]:
    """Return the SHA-256 of each file by its name."""
    hashes: dict[str, str] = {}
    for path, name in files:
        with path.open("rb") as file:
            hashes[name] = file_digest(file, "sha256").hexdigest()
    return hashes


def print_summary(done: FolderImport) -> None:
    """Print what was stored, and why files failed."""
    failed = [file for file in done.files if file.state == "failed"]
    for file in failed:
        echo(f"{file.name}: {file.message or file.error}", style="red")
    if done.files:
        say(
            "{files} files, {passages} passages. Embedded {embedded}, removed "
            "{removed}, failed {failed}.",
            files=len(done.files),
            passages=sum(file.passages for file in done.files),
            embedded=sum(file.embedded for file in done.files),
            removed=sum(file.removed for file in done.files),
            failed=len(failed),
        )
    if done.unchanged:
        say("{unchanged} files are unchanged.", unchanged=done.unchanged)
