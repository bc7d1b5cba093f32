"""`saegim mcp`: memory and documents as tools of an agent that starts us."""

import asyncio
from dataclasses import replace
from importlib.util import find_spec
from typing import Annotated

import typer

from saegim.cli.client_target import Data, KeyFile, Url, User, open_client
from saegim.cli.console import fail
from saegim.cli.language import _


def mcp(
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
    profile: Annotated[str | None, typer.Option(help=_("Profile name."))] = None,
) -> None:
    if find_spec("mcp") is None:
        fail(_("The MCP server requires saegim[mcp]."))
    from saegim.mcp.stdio import serve  # noqa: PLC0415 - an extra, and slow to import

    line = replace(open_client(data, url, key_file, user), profile=profile)
    asyncio.run(serve(line.open()))
