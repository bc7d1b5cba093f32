"""`saegim source`: sources of documents that stay in sync."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from saegim.cli.client_target import ClientTarget, Yes, client_command
from saegim.cli.console import fail, local_time, say
from saegim.cli.json_output import report, report_list
from saegim.cli.language import _
from saegim.cli.service_commands import Tenant, service_command
from saegim.client.library_types import Source
from saegim.locales import N_

if TYPE_CHECKING:
    from saegim.app.container import Services

source = typer.Typer(no_args_is_help=True)
add = typer.Typer(no_args_is_help=True)
source.add_typer(add, name="add", help=_("Add a source and start syncing it."))

Collection = Annotated[str, typer.Option(help=_("Collection name."))]
Type = Annotated[str, typer.Option(help=_("Document type: guide, faq, manual, sop, ts, setup …"))]
Every = Annotated[float, typer.Option(help=_("Hours between syncs."), min=0.25)]
Items = Annotated[
    int, typer.Option(help=_("Maximum number of documents per sync."), min=1, max=50_000)
]
Identifier = Annotated[UUID, typer.Argument(metavar="ID", help=_("Source ID."))]


@client_command(add, "urls", _("Add a list of web pages."))
def add_urls(
    target: ClientTarget,
    urls: Annotated[list[str], typer.Argument(help=_("Page URLs."))],
    collection: Collection = "default",
    type: Type = "guide",  # noqa: A002 - the API's word
    every: Every = 24.0,
    items: Items = 1_000,
) -> None:
    body = {"source": {"kind": "urls", "urls": urls}, "collection": collection, "type": type}
    _add(target, body, every, items)


@client_command(add, "sitemap", _("Add the pages of a sitemap on the same host."))
def add_sitemap(
    target: ClientTarget,
    sitemap: Annotated[str, typer.Argument(help=_("Sitemap URL."))],
    collection: Collection = "default",
    type: Type = "guide",  # noqa: A002 - the API's word
    every: Every = 24.0,
    items: Items = 1_000,
) -> None:
    body = {"source": {"kind": "sitemap", "url": sitemap}, "collection": collection, "type": type}
    _add(target, body, every, items)


@client_command(
    add,
    "s3",
    _(
        "Add an S3-compatible bucket. Credentials come from AWS_ACCESS_KEY_ID and "
        "AWS_SECRET_ACCESS_KEY."
    ),
)
def add_bucket(  # noqa: PLR0913 - options of a command
    target: ClientTarget,
    bucket: Annotated[str, typer.Argument(help=_("Bucket name."))],
    endpoint: Annotated[str, typer.Option(help=_("URL of the S3 service."))] = (
        "https://s3.amazonaws.com"
    ),
    region: Annotated[str, typer.Option(help=_("Region."))] = "us-east-1",
    prefix: Annotated[str, typer.Option(help=_("Only keys with this prefix."))] = "",
    collection: Collection = "default",
    type: Type = "guide",  # noqa: A002 - the API's word
    every: Every = 24.0,
    items: Items = 1_000,
) -> None:
    access, secret = (
        os.environ.get(f"AWS_{name}") for name in ("ACCESS_KEY_ID", "SECRET_ACCESS_KEY")
    )
    if not access or not secret:
        fail("Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.")
    location = {"kind": "s3", "endpoint": endpoint, "bucket": bucket, "prefix": prefix}
    keys = {"region": region, "access_key": access, "secret_key": secret}
    body = {"source": location | keys, "collection": collection, "type": type}
    _add(target, body, every, items)


@service_command(
    add, "folder", _("Add a folder on the server, below SAEGIM_SOURCES_FOLDER. For operators.")
)
async def add_folder(  # noqa: PLR0913 - options of a command
    services: "Services",
    folder: Annotated[Path, typer.Argument(help=_("Absolute path of a folder on the server."))],
    tenant: Tenant,
    collection: Collection = "default",
    type: Type = "guide",  # noqa: A002 - the API's word
    every: Every = 24.0,
    items: Items = 1_000,
) -> None:
    """Add a folder; a relative path is relative to the working directory of the command."""
    from saegim.sources.types import CrawlLimits, Folder, NewSource  # noqa: PLC0415

    new = NewSource(
        origin=Folder(str(folder.expanduser().absolute())),
        collection=collection,
        type=type,
        every_seconds=int(every * 3600),
        limits=CrawlLimits(items=items),
    )
    added = await services.sources.sources.add_as_operator(tenant, new)
    say("Added source {source}", source=added.source.id)


@client_command(source, "list", _("List sources and the result of their last sync."))
def list_sources(target: ClientTarget) -> None:
    for each in report_list(target.call(lambda client: client.sources()), N_("No sources.")):
        _show(each)


@client_command(source, "sync", _("Sync a source now."))
def sync(target: ClientTarget, identifier: Identifier) -> None:
    report(target.call(lambda client: client.sync_source(identifier)))
    say("Queued a sync of {source}", source=identifier)


@client_command(source, "remove", _("Delete a source and all documents that came from it."))
def remove(target: ClientTarget, identifier: Identifier, yes: Yes = False) -> None:
    if not yes:
        question = _("Delete all documents that came from {source}?", source=identifier)
        typer.confirm(question, abort=True)
    target.call(lambda client: client.remove_source(identifier))
    report({"removed": identifier})
    say("Deleted source {source}. Its documents are being deleted.", source=identifier)


def _show(each: Source) -> None:
    synced = local_time(each.synced_at) if each.synced_at else _("never synced")
    say(
        "{source_id}  {kind}  {address}\n"
        "    documents {documents} · changed {changed} · unchanged {unchanged} · "
        "failed {failed} · removed {removed} · {when}",
        when=_("syncing") if each.running else synced,
        **each.model_dump(),
    )
    if each.error:
        say("    error: {error}", style="yellow", error=each.error)


def _add(target: ClientTarget, body: dict[str, Any], every: float, items: int) -> None:
    body |= {"every_hours": every, "limits": {"items": items}}
    added = report(target.call(lambda client: client.add_source(body)))
    say("Added source {source}", source=added.source_id)
