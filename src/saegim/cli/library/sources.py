"""`saegim source`: where documents come from by themselves."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import typer

from saegim.cli import environment
from saegim.cli.client_target import Data, KeyFile, Line, Url, User, explain, open_line
from saegim.cli.console import fail, out
from saegim.cli.json_output import report
from saegim.cli.texts import common as texts, library_texts, source_texts
from saegim.client import ClientError, SaegimClient
from saegim.client.library_types import Source

source = typer.Typer(no_args_is_help=True)
add = typer.Typer(no_args_is_help=True)
source.add_typer(add, name="add", help=source_texts.HELP_ADD())

Collection = Annotated[str, typer.Option(help=library_texts.HELP_COLLECTION())]
Type = Annotated[str, typer.Option(help=library_texts.HELP_TYPE())]
Every = Annotated[float, typer.Option(help=source_texts.HELP_EVERY(), min=0.25)]
Items = Annotated[int, typer.Option(help=source_texts.HELP_ITEMS(), min=1, max=50_000)]
Identifier = Annotated[UUID, typer.Argument(metavar="ID", help=source_texts.HELP_ID())]


@add.command("urls", help=source_texts.HELP_ADD_URLS())
def add_urls(  # noqa: PLR0913 - options of a command
    urls: Annotated[list[str], typer.Argument(help=source_texts.HELP_URLS())],
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
    _add(body, open_line(data, url, key_file, user))


@add.command("sitemap", help=source_texts.HELP_ADD_SITEMAP())
def add_sitemap(  # noqa: PLR0913 - options of a command
    sitemap: Annotated[str, typer.Argument(help=source_texts.HELP_SITEMAP())],
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
    _add(body, open_line(data, url, key_file, user))


@add.command("s3", help=source_texts.HELP_ADD_S3())
def add_bucket(  # noqa: PLR0913 - options of a command
    bucket: Annotated[str, typer.Argument(help=source_texts.HELP_BUCKET())],
    endpoint: Annotated[str, typer.Option(help=source_texts.HELP_ENDPOINT())] = (
        "https://s3.amazonaws.com"
    ),
    region: Annotated[str, typer.Option(help=source_texts.HELP_REGION())] = "us-east-1",
    prefix: Annotated[str, typer.Option(help=source_texts.HELP_PREFIX())] = "",
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
        fail(source_texts.NO_KEYS())
    where = {"kind": "s3", "endpoint": endpoint, "bucket": bucket, "prefix": prefix}
    keys = {"region": region, "access_key": access, "secret_key": secret}
    named = {"source": where | keys, "collection": collection, "type": type}
    _add(
        {**named, "every_hours": every, "limits": {"items": items}},
        open_line(data, url, key_file, user),
    )


@add.command("folder", help=source_texts.HELP_ADD_FOLDER())
def add_folder(  # noqa: PLR0913 - options of a command
    folder: Annotated[Path, typer.Argument(help=source_texts.HELP_FOLDER())],
    tenant: Annotated[UUID, typer.Option(help=texts.HELP_TENANT_ID())],
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


@source.command("list", help=source_texts.HELP_LIST())
def list_sources(
    data: Data = None, url: Url = None, key_file: KeyFile = None, user: User = None
) -> None:
    async def ask(client: SaegimClient) -> None:
        found = await client.sources()
        report(found)
        for one in found:
            show(one)
        if not found:
            out.print(source_texts.NONE())

    _call(ask, open_line(data, url, key_file, user))


@source.command("sync", help=source_texts.HELP_SYNC())
def sync(
    identifier: Identifier,
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
) -> None:
    async def ask(client: SaegimClient) -> None:
        report(await client.sync_source(identifier))
        out.print(source_texts.QUEUED(source=identifier))

    _call(ask, open_line(data, url, key_file, user))


@source.command("remove", help=source_texts.HELP_REMOVE())
def remove(
    identifier: Identifier,
    yes: Annotated[bool, typer.Option("--yes", help=source_texts.HELP_YES())] = False,
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
) -> None:
    if not yes:
        typer.confirm(source_texts.SURE(source=identifier), abort=True)

    async def ask(client: SaegimClient) -> None:
        await client.remove_source(identifier)
        report({"removed": identifier})
        out.print(source_texts.REMOVED(source=identifier))

    _call(ask, open_line(data, url, key_file, user))


def show(one: Source) -> None:
    """A source in two lines, and a third for its trouble."""
    done = one.synced_at.strftime("%Y-%m-%d %H:%M UTC") if one.synced_at else source_texts.NEVER()
    counts = one.model_dump(include={"documents", "changed", "unchanged", "failed", "removed"})
    line = source_texts.LINE(
        source=one.source_id,
        kind=one.kind,
        address=one.address,
        when=source_texts.RUNNING() if one.running else done,
        **counts,
    )
    out.print(line, soft_wrap=True, markup=False)
    if one.error:
        out.print(source_texts.ERROR(error=one.error), style="yellow", markup=False)


def _add(body: dict[str, Any], line: Line) -> None:
    async def ask(client: SaegimClient) -> None:
        added = await client.add_source(body)
        report(added)
        out.print(source_texts.ADDED(source=added.source_id))

    _call(ask, line)


def _call(ask: Callable[[SaegimClient], Awaitable[None]], line: Line) -> None:
    async def talk() -> None:
        async with line.open() as client:
            await ask(client)

    try:
        asyncio.run(talk())
    except ClientError as error:
        explain(error, line)
