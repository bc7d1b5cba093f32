"""A name is resolved once, and the address that was checked is the one that is used."""

import asyncio
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from saegim.net.errors import FetchFailed
from saegim.net.guard import GuardedTransport, networks
from saegim.sources.types import CrawlLimits
from saegim.sources.web import Web
from tests.integration.sources.site import Site, page, running

pytestmark = pytest.mark.requirement("LB10")

LIMITS = CrawlLimits(delay_seconds=0.0)
Resolved = list[tuple[Any, ...]]


def resolving(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Lets names lead to these addresses, one answer after the other; the names that were asked."""
    asked: list[str] = []

    async def resolve(self: object, host: str, port: int, **_: object) -> Resolved:
        asked.append(host)
        chosen = answers[min(len(asked), len(answers)) - 1]
        return [(2, 1, 6, "", (address, port)) for address in chosen]

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", resolve)
    return asked


async def test_a_name_that_leads_elsewhere_the_second_time_leads_nowhere_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with running(Site()) as good, running(Site(), "127.0.0.2", good.port) as bad:
        good.pages["/a"] = bad.pages["/a"] = page("글")
        resolving(monkeypatch, ["127.0.0.1"], ["127.0.0.1"], ["127.0.0.2"])
        url = f"http://rebind.test:{good.port}/a"
        async with Web(GuardedTransport(networks(["127.0.0.1/32"])), LIMITS) as web:
            assert (await web.get(url)).status == 200
            with pytest.raises(FetchFailed, match="private_address"):
                await web.get(url)
    assert good.asked[-1].headers["host"] == f"rebind.test:{good.port}"
    assert bad.asked == []


async def test_of_several_addresses_only_those_allowed_are_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with running(Site()) as good, running(Site(), "127.0.0.2", good.port) as bad:
        good.pages["/a"] = bad.pages["/a"] = page("글")
        resolving(monkeypatch, ["127.0.0.2", "127.0.0.3", "127.0.0.1"])
        allowed = GuardedTransport(networks(["127.0.0.1/32", "127.0.0.3/32"]))
        async with Web(allowed, LIMITS) as web:
            assert (await web.get(f"http://many.test:{good.port}/a")).status == 200
    assert bad.asked == []


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "site.pem", folder / "site.key"
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return paths


async def test_a_certificate_is_checked_against_the_name_and_not_the_address(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    public, private = certificate(tmp_path, "site.test")
    served = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    served.load_cert_chain(public, private)
    trusted = ssl.create_default_context(cafile=str(public))
    site = Site()
    site.pages["/a"] = page("글")
    server = await asyncio.start_server(site.serve, "127.0.0.1", 0, ssl=served)
    port = server.sockets[0].getsockname()[1]
    resolving(monkeypatch, ["127.0.0.1"])
    transport = GuardedTransport(networks(["127.0.0.1/32"]), trusted)
    async with server, Web(transport, LIMITS) as web:
        assert (await web.get(f"https://site.test:{port}/a")).status == 200
        with pytest.raises(FetchFailed, match="unreachable"):
            await web.get(f"https://other.test:{port}/a")
    assert {one.headers["host"] for one in site.asked} == {f"site.test:{port}"}
