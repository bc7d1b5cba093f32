"""TLS to every store by one setting: real clients, with our own CA.

The embedded servers are built without TLS, so a proxy terminates it in front of each, as a load
balancer would. libpq and the Redis client do the handshake and verify certificate and name.
"""

import asyncio
import contextlib
import datetime
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from pydantic import SecretStr

from benchmarks.doubles.embedders import HashEmbedder
from saegim.app.container import Services, build
from saegim.app.infrastructure import Fakes
from saegim.app.settings import Settings
from saegim.auth.types import ActAs
from saegim.db.cells import HOME_CELL
from saegim.domain.errors import OptionalServiceDown, StoreUnavailable
from saegim.encryption.cipher import new_key
from tests.contract.master_key import HERE
from tests.contract.test_master_keys import TOKEN, Transit
from tests.integration.sources.site import ACCESS, REGION, SECRET, Store, running
from tests.stack import MASTER_KEY, Databases, patient

pytestmark = pytest.mark.requirement("OP4")

NAME = "localhost"
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Authority:
    """A CA and a server certificate."""

    folder: Path
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    @property
    def file(self) -> Path:
        return self.folder / "ca.pem"

    def server(self, name: str) -> ssl.SSLContext:
        own = ec.generate_private_key(ec.SECP256R1())
        self.file.write_bytes(_pem(_certificate("CA", self.key, self.key, ca=True)))
        (self.folder / "server.pem").write_bytes(_pem(_certificate(name, own, self.key)))
        plain = serialization.NoEncryption()
        form = serialization.PrivateFormat.PKCS8
        secret = own.private_bytes(serialization.Encoding.PEM, form, plain)
        (self.folder / "server.key").write_bytes(secret)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "server.pem", self.folder / "server.key")
        return context


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _certificate(
    name: str,
    key: ec.EllipticCurvePrivateKey,
    signer: ec.EllipticCurvePrivateKey,
    *,
    ca: bool = False,
) -> x509.Certificate:
    now = datetime.datetime.now(datetime.UTC)
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "CA")])
    built = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(minutes=5))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), False
        )
    )
    if not ca:
        built = built.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), False)
    return built.sign(signer, hashes.SHA256())


@dataclass
class Stores:
    """Postgres and Valkey behind TLS, and how many connections came in encrypted."""

    authority: Authority
    databases: Databases
    postgres_port: int = 0
    redis_port: int = 0
    encrypted: dict[str, int] = field(default_factory=lambda: {"postgres": 0, "redis": 0})

    def settings(self, ca: Path, host: str = NAME) -> Settings:
        where = f"{host}:{self.postgres_port}"
        return Settings(
            store_tls="verify-full",
            store_ca=ca,
            postgres_url=SecretStr(f"postgresql://saegim_app@{where}/{self.databases.data}"),
            keyring_url=SecretStr(f"postgresql://postgres@{where}/{self.databases.keyring}"),
            redis_url=SecretStr(f"redis://{host}:{self.redis_port}/0"),
            master_key=SecretStr(MASTER_KEY),
            index_url=str(self.databases.index),
        )


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while content := await reader.read(65_536):
            writer.write(content)
            await writer.drain()
    writer.close()


@contextlib.asynccontextmanager
async def terminating(
    context: ssl.SSLContext,
    prepare: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
    open_inner: Callable[[], Awaitable[Streams]],
    count: Callable[[], None],
) -> AsyncIterator[int]:
    """Takes TLS connections and hands what they say to a server without."""

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await prepare(reader, writer)
            await writer.start_tls(context)
        except (OSError, EOFError):
            writer.close()
            return
        count()
        inner_reader, inner_writer = await open_inner()
        await asyncio.gather(_pump(reader, inner_writer), _pump(inner_reader, writer))

    server = await asyncio.start_server(take, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def _accept_ssl_request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readexactly(8)
    writer.write(b"S")
    await writer.drain()


@contextlib.asynccontextmanager
async def secured(authority: Authority, port: int) -> AsyncIterator[str]:
    """The address of a server on this machine behind TLS."""

    async def open_inner() -> Streams:
        return await asyncio.open_connection("127.0.0.1", port)

    async with terminating(authority.server(NAME), _nothing, open_inner, lambda: None) as outer:
        yield f"https://{NAME}:{outer}"


async def _nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """TLS from the first byte."""


@pytest.fixture
async def stores(databases: Databases, tmp_path: Path) -> AsyncIterator[Stores]:
    found = Stores(Authority(tmp_path), databases)
    context = found.authority.server(NAME)
    query = parse_qs(urlsplit(databases.admin_url).query)
    socket = f"{query['host'][0]}/.s.PGSQL.{query['port'][0]}"
    valkey = databases.servers.valkey.port

    def counting(store: str) -> Callable[[], None]:
        def count() -> None:
            found.encrypted[store] += 1

        return count

    async with (
        terminating(
            context,
            _accept_ssl_request,
            lambda: asyncio.open_unix_connection(socket),
            counting("postgres"),
        ) as postgres,
        terminating(
            context,
            _nothing,
            lambda: asyncio.open_connection("127.0.0.1", valkey),
            counting("redis"),
        ) as redis,
    ):
        found.postgres_port, found.redis_port = postgres, redis
        yield found


@contextlib.asynccontextmanager
async def opened(settings: Settings, fakes: Fakes | None = None) -> AsyncIterator[Services]:
    services = build(settings, fakes or patient(Fakes()))
    await services.open()
    try:
        yield services
    finally:
        await services.close()


async def test_every_store_is_used_over_verified_tls(stores: Stores) -> None:
    async with opened(stores.settings(stores.authority.file)) as services:
        tenant = await services.auth.tenants.create("새김", "ko", HOME_CELL)
        caller = await services.auth.authentication.authenticate(tenant.key, ActAs("kim"))
        async with asyncio.timeout(180):
            while True:
                with contextlib.suppress(OptionalServiceDown):
                    await services.db.redis.ping()
                    break
                await asyncio.sleep(0.1)

    assert caller.scope.tenant == tenant.tenant.id
    assert stores.encrypted["postgres"] >= 2, "the data's and the keyring's"
    assert stores.encrypted["redis"] >= 1


@pytest.mark.parametrize("wrong", ["another CA", "another name"])
async def test_a_server_that_cannot_prove_its_name_is_not_used(
    wrong: str, stores: Stores, tmp_path: Path
) -> None:
    ca, host = stores.authority.file, "127.0.0.1"
    if wrong == "another CA":
        other = tmp_path / "other"
        other.mkdir()
        Authority(other).server(NAME)
        ca, host = other / "ca.pem", NAME
    impatient = Fakes(embedder=HashEmbedder())
    async with opened(stores.settings(ca, host), impatient) as services:
        with pytest.raises(StoreUnavailable):
            await services.db.cells.home.place_of(uuid4())
        with pytest.raises(StoreUnavailable):
            await services.encryption.keyring.tenant(uuid4())
        with pytest.raises(OptionalServiceDown):
            await services.db.redis.ping()


@pytest.mark.parametrize("known", [True, False], ids=["our CA", "another CA"])
async def test_the_kms_and_the_backup_bucket_are_verified_by_the_stores_ca(
    known: bool, stores: Stores, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    Authority(other).server(NAME)
    ca = stores.authority.file if known else other / "ca.pem"
    engine = await asyncio.start_server(Transit().serve, "127.0.0.1", 0)
    async with (
        engine,
        running(Store()) as bucket,
        secured(stores.authority, engine.sockets[0].getsockname()[1]) as kms,
        secured(stores.authority, urlsplit(bucket.url).port or 0) as backups,
    ):
        more = {
            "kms_url": kms,
            "kms_token": SecretStr(TOKEN),
            "backup_endpoint": backups,
            "backup_access_key": SecretStr(ACCESS),
            "backup_secret_key": SecretStr(SECRET),
            "backup_region": REGION,
        }
        services = build(stores.settings(ca).model_copy(update=more))
        refused = contextlib.nullcontext() if known else pytest.raises(StoreUnavailable)
        with refused:
            await services.encryption.keyring.master.wrap(new_key(), HERE)
        with refused:
            assert not await services.backup_bucket().exists("docs/nothing")
        await services.close()
