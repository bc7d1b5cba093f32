"""`saegim mcp`: memory and documents as tools of an agent, over standard input and output."""

import asyncio

from saegim.cli.client_target import ClientTarget


def mcp(target: ClientTarget) -> None:
    from saegim.mcp.stdio import serve  # noqa: PLC0415 - slow to import

    asyncio.run(serve(target.open()))
