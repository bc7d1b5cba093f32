"""Documents of issuers are cached and fetched from public addresses; odd claims are refused."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from saegim.auth.issuer_documents import FAILURE_FOR, IssuerDocuments
from saegim.auth.issuers import Issuers
from saegim.auth.key_sets import HttpKeySets
from saegim.auth.types import Issuer
from saegim.domain.errors import Unavailable
from tests.unit.auth.issuer import SigningKeys

pytestmark = pytest.mark.requirement("OP2")

NOW = datetime(2026, 11, 15, tzinfo=UTC)
URL, AGE = "https://login.example.com/jwks", timedelta(minutes=10)
KEYS = SigningKeys()
TENANT = UUID(int=1)
ISSUER = Issuer(UUID(int=2), TENANT, "https://login.example.com", "saegim", UUID(int=3), URL)


class KeySets:
    """One document, or an outage."""

    def __init__(self) -> None:
        self.asked = 0
        self.away = False

    async def fetch(self, url: str) -> Mapping[str, Any]:
        self.asked += 1
        await asyncio.sleep(0)
        if self.away:
            raise Unavailable("away")
        return KEYS.jwks()

    async def exchange(self, url: str, form: Mapping[str, str]) -> Mapping[str, Any]:
        raise NotImplementedError


class Store:
    async def find(self, tenant: UUID, url: str) -> Issuer | None:
        return ISSUER


async def test_requests_at_the_same_time_ask_the_issuer_once() -> None:
    key_sets = KeySets()
    documents = IssuerDocuments(key_sets)
    await asyncio.gather(*(documents.get(URL, AGE, NOW) for _ in range(20)))
    await documents.get(URL, AGE, NOW + AGE)
    assert key_sets.asked == 1
    await documents.get(URL, AGE, NOW + AGE * 2)
    assert key_sets.asked == 2


async def test_a_failure_is_remembered_for_a_while() -> None:
    key_sets = KeySets()
    key_sets.away = True
    documents = IssuerDocuments(key_sets)
    for _ in range(5):
        with pytest.raises(Unavailable):
            await documents.get(URL, AGE, NOW)
    assert key_sets.asked == 1
    key_sets.away = False
    assert await documents.get(URL, AGE, NOW + FAILURE_FOR * 2)


@pytest.mark.parametrize("subject", ["\ud800", "kim\udfff"])
async def test_half_a_character_in_the_name_gives_nobody(subject: str) -> None:
    issuers = Issuers(Store(), IssuerDocuments(KeySets()))  # pyright: ignore[reportArgumentType] - plays what is used of it
    at = int(NOW.timestamp())
    claims = {"iss": ISSUER.url, "aud": "saegim", "iat": at, "exp": at + 60}
    good = KEYS.sign(claims | {"sub": "kim"})
    odd = KEYS.sign(claims | {"sub": subject})

    assert await issuers.verify(good, str(TENANT), NOW) is not None
    assert await issuers.verify(odd, str(TENANT), NOW) is None


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "[64:ff9b::7f00:1]"])
async def test_addresses_of_this_machine_are_not_asked(host: str) -> None:
    with pytest.raises(Unavailable, match="private_address"):
        await HttpKeySets().fetch(f"https://{host}:9/jwks")


async def test_a_proxy_of_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[bytes]()

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.read(100))
        writer.close()

    proxy = await asyncio.start_server(listen, "127.0.0.1", 0)
    port = proxy.sockets[0].getsockname()[1]
    monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{port}")
    monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{port}")
    try:
        with pytest.raises(Unavailable):
            await HttpKeySets(private=True).fetch("https://127.0.0.1:9/jwks")
    finally:
        proxy.close()
        await proxy.wait_closed()
    assert seen == []
