"""The client on the real API, over a line that is cut again and again."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from benchmarks.doubles.models import Pieces, ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.client import Done, Retry, SaegimClient, Token, TurnOpened
from saegim.llm.ports import ModelRole
from tests.stack import Databases, new_stack, served

SYLLABLES = tuple("끊어져도 한 글자도 잃지 않고, 두 번 말하지 않습니다. 👩‍👩‍👧 끝.")


@contextlib.asynccontextmanager
async def cutting_line(port: int, after_bytes: int) -> AsyncIterator[tuple[str, list[int]]]:
    """A TCP line to `port` that breaks each connection after so many bytes of the answer."""
    connections: list[int] = []

    async def carry(near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        connections.append(0)
        far, out = await asyncio.open_connection("127.0.0.1", port)
        upward = asyncio.create_task(pump(near, out))
        left = after_bytes
        try:
            while left > 0 and (piece := await far.read(left)):
                back.write(piece)
                await back.drain()
                left -= len(piece)
        except ConnectionError:
            pass
        finally:
            upward.cancel()
            out.transport.abort()
            back.transport.abort()

    async def pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while piece := await source.read(4096):
            target.write(piece)
        # A client that left: a line on which it asked nothing would else stay open for ever.
        target.close()

    server = await asyncio.start_server(carry, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", connections


async def test_an_answer_arrives_whole_and_once_over_a_line_that_keeps_breaking(
    databases: Databases,
) -> None:
    fakes = Fakes(models=ScriptedModels({ModelRole.LITE: [Pieces(SYLLABLES, 0.1)]}))
    async with (
        new_stack(databases, fakes) as stack,
        served(stack.services) as direct,
        cutting_line(direct.base_url.port or 0, after_bytes=1200) as (url, connections),
        SaegimClient(
            url, stack.tenant.key, user="앨리스", session="회의", retry=Retry(5, 0.01, 0.02)
        ) as client,
    ):
        found = [event async for event in client.stream("읊어줘")]
        opened = [event for event in found if isinstance(event, TurnOpened)]
        turns = [turn async for turn in client.turns(opened[0].session_id)]

    text = "".join(event.text for event in found if isinstance(event, Token))
    assert text == "".join(SYLLABLES)
    last = found[-1]
    assert isinstance(last, Done)
    assert last.reply.answer == text
    assert len(opened) == 1
    assert len(connections) > 3
    assert [turn.answer for turn in turns] == [text]
