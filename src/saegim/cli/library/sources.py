"""`saegim source`: where documents come from by themselves."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import typer

from saegim.cli import environment
from saegim.cli.client_target import ClientTarget, Data, KeyFile, Url, User, explain, open_client
from saegim.cli.console import fail, out
from saegim.cli.json_output import report
from saegim.cli.language import _
from saegim.client import ClientError, SaegimClient
from saegim.client.library_types import Source

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


@add.command("urls", help=_("Add a list of web pages."))
def add_urls(  # noqa: PLR0913 - options of a command
    urls: Annotated[list[str], typer.Argument(help=_("Page URLs."))],
    collection: Collection = "default",
    type: Type = "guide",  # noqa: A002 - the API's word
    every: Every = 24.0,
    items: Items = 1_000,
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
) -> None:
    named = {"source": {"kind": "urls", "urls": urls}, "collection": collection, "type": type}
    body = {**named, "every_hours": every, "limits": {"items": items}}
    _add(body, open_client(data, url, key_file, user))


@add.command("sitemap", help=_("Add the pages of a sitemap on the same host."))
def add_sitemap(  # noqa: PLR0913 - options of a command
    sitemap: Annotated[str, typer.Argument(help=_("Sitemap URL."))],
    collection: Collection = "default",
    type: Type = "guide",  # noqa: A002 - the API's word
    every: Every = 24.0,
    items: Items = 1_000,
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
) -> None:
    named = {"source": {"kind": "sitemap", "url": sitemap}, "collection": collection, "type": type}
    body = {**named, "every_hours": every, "limits": {"items": items}}
    _add(body, open_client(data, url, key_file, user))


@add.command(
    "s3",
    help=_(
        "Add an S3-compatible bucket. Credentials come from AWS_ACCESS_KEY_ID and "
        "AWS_SECRET_ACCESS_KEY."
    ),
)
def add_bucket(  # noqa: PLR0913 - options of a command
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
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
) -> None:
    access, secret = (
        os.environ.get(f"AWS_{name}") for name in ("ACCESS_KEY_ID", "SECRET_ACCESS_KEY")
    )
    if not access or not secret:
        fail(_("Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."))
    where = {"kind": "s3", "endpoint": endpoint, "bucket": bucket, "prefix": prefix}
    keys = {"region": region, "access_key": access, "secret_key": secret}
    named = {"source": where | keys, "collection": collection, "type": type}
    _add(
        {**named, "every_hours": every, "limits": {"items": items}},
        open_client(data, url, key_file, user),
    )


@add.command(
    "folder", help=_("Add a folder on the server, below SAEGIM_SOURCES_FOLDER. For operators.")
)
def add_folder(  # noqa: PLR0913 - options of a command
    folder: Annotated[Path, typer.Argument(help=_("Absolute path of a folder on the server."))],
    tenant: Annotated[UUID, typer.Option(help=_("Tenant ID."))],
    collection: Collection = "default",
    type: Type = "guide",  # noqa: A002 - the API's word
    every: Every = 24.0,
    items: Items = 1_000,
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.cli.library import source_folders  # noqa: PLC0415
    from saegim.cli.operators import tenant_commands  # noqa: PLC0415

    new = source_folders.new_source(folder, collection, type, every, items)
    tenant_commands.run(settings, lambda services: source_folders.add(services, tenant, new))


@source.command("list", help=_("List sources and the result of their last sync."))
def list_sources(
    data: Data = None, url: Url = None, key_file: KeyFile = None, user: User = None
) -> None:
    async def ask(client: SaegimClient) -> None:
        found = await client.sources()
        report(found)
        for one in found:
            show(one)
        if not found:
            out.print(_("No sources."))

    _call(ask, open_client(data, url, key_file, user))


@source.command("sync", help=_("Sync a source now."))
def sync(
    identifier: Identifier,
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
) -> None:
    async def ask(client: SaegimClient) -> None:
        report(await client.sync_source(identifier))
        out.print(_("Queued a sync of {source}", source=identifier))

    _call(ask, open_client(data, url, key_file, user))


@source.command("remove", help=_("Delete a source and all documents that came from it."))
def remove(
    identifier: Identifier,
    yes: Annotated[bool, typer.Option("--yes", help=_("Skip the confirmation prompt."))] = False,
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
) -> None:
    if not yes:
        typer.confirm(
            _("Delete all documents that came from {source}?", source=identifier), abort=True
        )

    async def ask(client: SaegimClient) -> None:
        await client.remove_source(identifier)
        report({"removed": identifier})
        out.print(_("Deleted source {source}. Its documents are being deleted.", source=identifier))

    _call(ask, open_client(data, url, key_file, user))


def show(one: Source) -> None:
    """A source in two lines, and a third for its trouble."""
    done = one.synced_at.strftime("%Y-%m-%d %H:%M UTC") if one.synced_at else _("never synced")
    counts = one.model_dump(include={"documents", "changed", "unchanged", "failed", "removed"})
    line = _(
        "{source}  {kind}  {address}\n"
        "    documents {documents} · changed {changed} · unchanged {unchanged} · "
        "failed {failed} · removed {removed} · {when}",
        source=one.source_id,
        kind=one.kind,
        address=one.address,
        when=_("syncing") if one.running else done,
        **counts,
    )
    out.print(line, soft_wrap=True, markup=False)
    if one.error:
        out.print(_("    error: {error}", error=one.error), style="yellow", markup=False)


def _add(body: dict[str, Any], line: ClientTarget) -> None:
    async def ask(client: SaegimClient) -> None:
        added = await client.add_source(body)
        report(added)
        out.print(_("Added source {source}", source=added.source_id))

    _call(ask, line)


def _call(ask: Callable[[SaegimClient], Awaitable[None]], line: ClientTarget) -> None:
    async def talk() -> None:
        async with line.open() as client:
            await ask(client)

    try:
        asyncio.run(talk())
    except ClientError as error:
        explain(error, line)
