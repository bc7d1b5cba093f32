"""Both master keys keep the same contract: the environment's, and one in a KMS."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator

import pytest

from saegim.domain.errors import StoreUnavailable
from saegim.encryption.cipher import FieldLocation, SealBroken, new_key, unwrap, wrap
from saegim.encryption.kms import TransitMaster
from saegim.encryption.master_key import EnvironmentMaster
from tests.contract.master_key import HERE, MasterKeyContract

pytestmark = pytest.mark.requirement("OP5")

TOKEN = "kms-token"


class TestEnvironment(MasterKeyContract):
    @pytest.fixture
    def master(self) -> EnvironmentMaster:
        return EnvironmentMaster(new_key(), [new_key()])


class Transit:
    """A transit engine over a real socket, which answers as Vault does."""

    def __init__(self) -> None:
        self.key = new_key()
        self.status = 200

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(head.lower().split("content-length: ")[1].split("\r\n")[0])
        body = json.loads(await reader.readexactly(length))
        status, answer = self.answer(head, body)
        content = json.dumps(answer).encode()
        writer.write(
            f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nConnection: close\r\n"
            f"Content-Length: {len(content)}\r\n\r\n".encode()
            + content
        )
        await writer.drain()
        writer.close()

    def answer(self, head: str, body: dict[str, str]) -> tuple[int, dict[str, object]]:
        if self.status != 200 or TOKEN not in head:
            return (self.status if self.status != 200 else 403), {"errors": ["permission denied"]}
        place = _Bound(base64.b64decode(body["associated_data"]))
        if head.startswith("POST /v1/transit/encrypt/saegim "):
            sealed = wrap(self.key, base64.b64decode(body["plaintext"]), place)
            return 200, {"data": {"ciphertext": f"vault:v1:{base64.b64encode(sealed).decode()}"}}
        try:
            raw = base64.b64decode(body["ciphertext"].removeprefix("vault:v1:"))
            return 200, {
                "data": {"plaintext": base64.b64encode(unwrap(self.key, raw, place)).decode()}
            }
        except (SealBroken, ValueError):
            return 400, {"errors": ["cipher: message authentication failed"]}


class _Bound(FieldLocation):
    """A place that is known only as the bytes it binds."""

    def __init__(self, content: bytes) -> None:
        object.__setattr__(self, "field", "transit")
        object.__setattr__(self, "row", HERE.row)
        object.__setattr__(self, "_content", content)

    def bound(self) -> bytes:
        return self._content  # pyright: ignore[reportAttributeAccessIssue] - set above


@pytest.fixture
async def transit() -> AsyncIterator[tuple[Transit, str]]:
    engine = Transit()
    server = await asyncio.start_server(engine.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    yield engine, f"http://127.0.0.1:{port}"
    server.close()
    await server.wait_closed()


class TestKms(MasterKeyContract):
    @pytest.fixture
    async def master(self, transit: tuple[Transit, str]) -> AsyncIterator[TransitMaster]:
        master = TransitMaster(transit[1], TOKEN, "saegim")
        yield master
        await master.close()

    async def test_a_kms_that_is_away_is_an_outage_and_no_broken_seal(
        self, master: TransitMaster, transit: tuple[Transit, str]
    ) -> None:
        wrapped = await master.wrap(new_key(), HERE)
        transit[0].status = 503
        with pytest.raises(StoreUnavailable):
            await master.unwrap(wrapped.content, wrapped.outer, HERE)
