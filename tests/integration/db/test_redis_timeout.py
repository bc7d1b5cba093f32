"""Redis is out when it does not answer, and not when we were too busy to hear it."""

import asyncio
import time

import pytest

from saegim.db.redis_client import WHOLE_SECONDS, RedisClient, connect
from saegim.domain.errors import OptionalServiceDown
from tests.stack import Databases

HELD_UP_SECONDS = 2.0


@pytest.mark.parametrize("steps", [1, 3, 8])
async def test_a_process_that_was_held_up_finds_the_answer(
    databases: Databases, steps: int
) -> None:
    part = RedisClient(connect(databases.servers.valkey.url), HELD_UP_SECONDS)
    asking = asyncio.create_task(part.ping())
    for _ in range(steps):
        await asyncio.sleep(0)

    time.sleep(HELD_UP_SECONDS + 0.1)  # noqa: ASYNC251 - what holds the process up

    await asking
    await part.close()


async def test_a_redis_that_says_nothing_is_not_waited_for() -> None:
    said = list[bytes]()

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            said.append(line)
        writer.close()

    server = await asyncio.start_server(listen, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    part = RedisClient(connect(f"redis://127.0.0.1:{port}/0"))
    began = time.monotonic()
    async with asyncio.timeout(120):
        with pytest.raises(OptionalServiceDown):
            await part.ping()
    took = time.monotonic() - began
    await part.close()
    server.close()
    await server.wait_closed()

    assert said
    assert took >= WHOLE_SECONDS
