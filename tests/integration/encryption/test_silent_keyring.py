"""A keyring that does not respond delays nobody."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest

from saegim.domain.errors import StoreUnavailable
from saegim.encryption.key_store import PostgresKeys
from tests.stack import Databases

pytestmark = pytest.mark.requirement("OP5")


class Wire:
    """A proxy between client and server that can be cut."""

    def __init__(self, socket: str) -> None:
        self._socket = socket
        self.whole = asyncio.Event()
        self.whole.set()

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(self._socket)
        await asyncio.gather(self._carry(reader, back), self._carry(there, writer))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(65_536):
            await self.whole.wait()
            writer.write(piece)
        writer.close()


@asynccontextmanager
async def wired(databases: Databases) -> AsyncIterator[tuple[Wire, str]]:
    """The keyring by way of a wire that can be cut."""
    [folder] = parse_qs(urlsplit(databases.servers.postgres.url()).query)["host"]
    wire = Wire(f"{folder}/.s.PGSQL.5432")
    server = await asyncio.start_server(wire.connect, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield wire, f"postgresql://postgres@127.0.0.1:{port}/{databases.keyring}"
    finally:
        wire.whole.set()
        server.close()


async def answered(keys: PostgresKeys) -> None:
    """Waits until the keyring answers; a busy machine makes it silent, too."""
    async with asyncio.timeout(120):
        while True:
            with suppress(StoreUnavailable):
                assert await keys.find(uuid4(), uuid4()) == []
                return
            await asyncio.sleep(0.1)


async def test_a_keyring_that_says_nothing_is_given_up_soon(databases: Databases) -> None:
    async with wired(databases) as (wire, url):
        keys = PostgresKeys(url)
        await keys.open()
        try:
            await answered(keys)
            wire.whole.clear()
            async with asyncio.timeout(120):
                with pytest.raises(StoreUnavailable):
                    await keys.find(uuid4(), uuid4())
            wire.whole.set()
            await answered(keys)
        finally:
            await keys.close()
