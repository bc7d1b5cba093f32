"""`saegim mcp`: memory and documents as tools of an agent, over standard input and output."""

import asyncio
from importlib.util import find_spec

from saegim.cli.client_target import ClientTarget
from saegim.cli.console import fail


def mcp(target: ClientTarget) -> None:
    if find_spec("mcp") is None:
        fail("The MCP server requires saegim[mcp].")
    from saegim.mcp.stdio import serve  # noqa: PLC0415 - an extra, and slow to import

    asyncio.run(serve(target.open()))
