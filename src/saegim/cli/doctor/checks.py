"""Checks every component of a deployment. A component that is down hides no other."""

import asyncio
import os
import platform
from contextlib import suppress
from dataclasses import replace
from uuid import UUID

import psycopg

from saegim import __version__
from saegim.app.container import Services, build
from saegim.app.from_settings import MissingSetting, master_key, owners, required
from saegim.app.infrastructure import Fakes
from saegim.app.process_protection import protect_process
from saegim.app.settings import Settings
from saegim.app.store_tls import Protection, postgres_protection, redis_protection
from saegim.cli.doctor.index_checks import embedder, indexes
from saegim.cli.findings import Finding
from saegim.cli.language import _
from saegim.cli.server import listener
from saegim.cli.server.preflight import CAN_BYPASS, OWNS_TABLES
from saegim.client import ClientError, SaegimClient
from saegim.db import inspect as postgres_inspect
from saegim.db.health import StoreHealth
from saegim.db.revision import newest_revision
from saegim.domain.errors import OptionalServiceDown, StoreUnavailable
from saegim.encryption import keyring as keyring_inspect
from saegim.jobs.worker import QUEUE_CONNECTIONS
from saegim.library.parsing.sandbox import probe
from saegim.llm.connections.types import ModelCheck
from saegim.llm.ports import ModelRole

# A call costs time and money, so only the models of a few tenants are checked.
MOST_TENANTS = 10


async def models(services: Services) -> list[Finding]:
    """Call the model of each role; a tenant's own models are checked, too."""
    checks = {each.role: each for each in await services.llm.connections.check_environment()}
    findings = [
        _finding(checks[role])
        if role in checks
        else Finding(f"model {role.value}", "ok", _("no model: replies quote the documents"))
        for role in ModelRole
    ]
    for tenant in await _tenants(services):
        # A login without rights to the tenants' tables is reported by another check.
        with suppress(StoreUnavailable, psycopg.Error):
            own = await services.llm.connections.check_own(tenant)
            findings += [_finding(each, tenant) for each in own]
    return findings


def _finding(check: ModelCheck, tenant: UUID | None = None) -> Finding:
    name = f"model {check.role.value}"
    if check.ok:
        text = _("{model}, {seconds} s", model=check.model, seconds=f"{check.seconds:.1f}")
        return Finding(name, "ok", _of(text, tenant))
    said = " ".join(filter(None, (str(check.status or ""), check.message or "")))
    reason = said or (check.fault.value if check.fault else "")
    text = _("{model} does not answer: {reason}", model=check.model, reason=reason)
    return Finding(name, "broken", _of(text, tenant))


def _of(text: str, tenant: UUID | None) -> str:
    return text if tenant is None else _("{text} (tenant {tenant})", text=text, tenant=tenant)


async def _tenants(services: Services) -> list[UUID]:
    """Return the first tenants; none without the owner's login."""
    settings = services.settings
    if settings.postgres_admin_url is None:
        return []
    tenants: list[UUID] = []
    for url in owners(settings).values():
        try:
            tenants += await postgres_inspect.all_tenants(url) or []
        except StoreUnavailable:
            continue  # another check reports it
    return tenants[:MOST_TENANTS]


def tls(settings: Settings) -> list[Finding]:
    """Return a finding for each store that is connected over a network."""
    findings: list[Finding] = []
    chosen = settings.store_tls == "off" and "store_tls" in settings.model_fields_set
    for name, protection in _protections(settings).items():
        if protection == "verified":
            text = _("{store}: TLS with verified certificate and host name", store=name)
            findings.append(Finding("tls", "ok", text))
        elif protection != "local" and chosen:
            text = _("{store}: without verified TLS, as SAEGIM_STORE_TLS=off says", store=name)
            findings.append(Finding("tls", "ok", text))
        elif protection != "local":
            text = _(
                "{store}: connects over the network without verifying the certificate. Set "
                "SAEGIM_STORE_TLS=verify-full.",
                store=name,
            )
            findings.append(Finding("tls", "warning", text))
    return findings or [Finding("tls", "ok", _("all stores are on this machine"))]


def public_url(settings: Settings) -> list[Finding]:
    if "*" in os.environ.get("FORWARDED_ALLOW_IPS", ""):
        text = _(
            "FORWARDED_ALLOW_IPS=* lets clients choose the address that limits count. Name the "
            "proxy's address or network."
        )
        return [Finding("public url", "warning", text)]
    if settings.public_url is None:
        text = _(
            "SAEGIM_PUBLIC_URL is not set. Behind a proxy, cookies and single sign-on need it."
        )
        # The proxies that uvicorn trusts: loopback by default, so perhaps none.
        proxied = os.environ.get("FORWARDED_ALLOW_IPS") not in (None, "", "127.0.0.1")
        return [Finding("public url", "warning" if proxied else "ok", text)]
    return [Finding("public url", "ok", _("public URL {url}", url=settings.public_url))]


def _protections(settings: Settings) -> dict[str, Protection]:
    postgres = {
        "SAEGIM_POSTGRES_URL": settings.postgres_url,
        "SAEGIM_POSTGRES_ADMIN_URL": settings.postgres_admin_url,
        "SAEGIM_KEYRING_URL": settings.keyring_url,
    } | {f"SAEGIM_CELLS {name}": cell.postgres_url for name, cell in settings.cells.items()}
    redis = {"SAEGIM_REDIS_URL": settings.redis_url} | {
        f"SAEGIM_CELLS {name} redis": cell.redis_url for name, cell in settings.cells.items()
    }
    plain = {
        "SAEGIM_BACKUP_ENDPOINT": settings.backup_endpoint,
        "SAEGIM_KMS_URL": settings.kms_url,
    }
    protections: dict[str, Protection] = {}
    for name, url in postgres.items():
        if url is not None:
            protections[name] = postgres_protection(url.get_secret_value())
    for name, url in redis.items():
        if url is not None:
            protections[name] = redis_protection(url.get_secret_value())
    for name, url in plain.items():
        if url is not None:
            protections[name] = "verified" if url.startswith("https://") else "unverified"
    return protections


UNPROTECTED = {
    "network": _("the network"),
    "environment": _("the environment variables of the server"),
    "files": _("files the server can read"),
    "writing": _("writing files"),
}
OLDEST_POSTGRES = 16
MOST_LAG_SECONDS = 60.0
READY_SECONDS = 10.0


def check(settings: Settings, *, dev: bool, fakes: Fakes | None = None) -> list[Finding]:
    """Run all checks; `dev` if the settings come from a running `saegim dev`."""
    # As the worker does, so that the parser is checked as it runs there.
    protect_process()
    versions = _(
        "Saegim {saegim}, Python {python}", saegim=__version__, python=platform.python_version()
    )
    findings = [Finding("saegim", "ok", versions)]
    try:
        services = build(settings, fakes)
    except (MissingSetting, ValueError) as error:
        return [*findings, Finding("settings", "broken", f"{error}")]
    return findings + asyncio.run(_check(services, dev))


async def _check(services: Services, dev: bool) -> list[Finding]:
    settings = services.settings
    await services.open()
    try:
        cells = (_cell(services, cell.name) for cell in services.db.cells.all)
        checks = [*cells, _keyring(services, dev), _parsers(), models(services)]
        if dev:
            checks.insert(0, _api(settings))
        results = await asyncio.gather(*checks)
    finally:
        await services.close()
    findings = [finding for result in results for finding in result]
    return [*findings, *tls(settings), *([] if dev else public_url(settings))]


async def _api(settings: Settings) -> list[Finding]:
    url = listener.address(settings.host, settings.port)
    try:
        async with SaegimClient(url, key="", timeout=READY_SECONDS) as client:
            ready = (await client.ready()).ready
    except ClientError:
        text = _(
            "`saegim dev` does not respond at {url}. If it has stopped, start it again.", url=url
        )
        return [Finding("api", "broken", text)]
    if ready:
        return [Finding("api", "ok", _("responding at {url}", url=url))]
    text = _("responding at {url}, but not ready to serve requests", url=url)
    return [Finding("api", "broken", text)]


async def _cell(services: Services, cell: str) -> list[Finding]:
    results = await asyncio.gather(
        _store(services, cell),
        _redis(services, cell),
        embedder(services, cell),
        indexes(services, cell),
    )
    return [replace(finding, cell=cell) for result in results for finding in result]


async def _store(services: Services, cell: str) -> list[Finding]:
    try:
        health = await services.db.health.check(cell)
    except StoreUnavailable as outage:
        return [Finding("postgres", "broken", _("not responding. {detail}", detail=outage.detail))]
    return [*store(health), connections(health, services.settings), *jobs(health)]


def store(health: StoreHealth) -> list[Finding]:
    """Check the PostgreSQL server, its extension, the schema and row-level security."""
    return [_server_version(health), _pgvector(health), _migrations(health), _isolation(health)]


def _server_version(health: StoreHealth) -> Finding:
    if int(health.server.partition(".")[0]) >= OLDEST_POSTGRES:
        return Finding("postgres", "ok", f"PostgreSQL {health.server}")
    text = _(
        "PostgreSQL {server} is too old. Version 16 or later is required.", server=health.server
    )
    return Finding("postgres", "broken", text)


def _pgvector(health: StoreHealth) -> Finding:
    if health.vector is not None:
        return Finding("pgvector", "ok", f"pgvector {health.vector}")
    text = _("The pgvector extension is missing. Run `saegim migrate`.")
    return Finding("pgvector", "broken", text)


def _migrations(health: StoreHealth) -> Finding:
    newest, at = newest_revision(), health.revision or "-"
    if at >= newest:
        return Finding("migrations", "ok", _("up to date ({at})", at=at))
    text = _(
        "Migrations are pending (at {at}, latest is {newest}). Run `saegim migrate`.",
        at=at,
        newest=newest,
    )
    return Finding("migrations", "broken", text)


def _isolation(health: StoreHealth) -> Finding:
    if health.can_bypass:
        return Finding("isolation", "broken", _(CAN_BYPASS))
    if health.owns_tables:
        return Finding("isolation", "broken", _(OWNS_TABLES))
    return Finding("isolation", "ok", _("the application role cannot bypass row-level security"))


def connections(health: StoreHealth, settings: Settings) -> Finding:
    """Check that the server allows the connections of all processes, also during a rollout, when
    old and new ones run at once."""
    # Each process has a health check beside its pool, each worker a pool for its queue.
    api = settings.api_processes * (settings.postgres_connections + 1)
    worker = settings.postgres_connections + 1 + settings.worker_concurrency + QUEUE_CONNECTIONS
    needed = api + max(1, health.workers) * worker
    enough = health.connections >= 2 * needed
    text = (
        _("up to {needed} of {most} connections used, {rollout} during a rollout")
        if enough
        else _(
            "The server allows {most} connections, but up to {needed} are needed, "
            "{rollout} during a rollout. Raise max_connections, lower "
            "SAEGIM_POSTGRES_CONNECTIONS, or use PgBouncer."
        )
    )
    text = text.format(most=health.connections, needed=needed, rollout=2 * needed)
    return Finding("connections", "ok" if enough else "warning", text)


def jobs(health: StoreHealth) -> list[Finding]:
    """Check the workers and the job queue."""
    late = health.lag_seconds > MOST_LAG_SECONDS or health.failed > 0
    queue = _(
        "{waiting} waiting, {lag} s behind, {failed} failed",
        waiting=health.waiting,
        lag=f"{health.lag_seconds:.0f}",
        failed=health.failed,
    )
    if health.workers:
        text = _(
            "{workers} workers, last heartbeat {seconds} s ago",
            workers=health.workers,
            seconds=f"{health.heartbeat_seconds or 0.0:.0f}",
        )
        worker = Finding("worker", "ok", text)
    else:
        text = _(
            "No worker is running. Turns continue, but indexing is paused. Run `saegim worker`."
        )
        worker = Finding("worker", "warning", text)
    return [worker, Finding("jobs", "warning" if late else "ok", queue)]


async def _keyring(services: Services, dev: bool) -> list[Finding]:
    settings = services.settings
    url, master = required(settings.keyring_url, "SAEGIM_KEYRING_URL"), master_key(settings)
    try:
        keyring = await keyring_inspect.look(url, master)
    except StoreUnavailable as outage:
        text = _(
            "The keyring is unavailable, so no data can be read. {detail}", detail=outage.detail
        )
        return [Finding("keyring", "broken", text)]
    if keyring.opens is False:
        text = _(
            "SAEGIM_MASTER_KEY does not match the keyring. Set the key the keyring was "
            "created with."
        )
        return [Finding("keyring", "broken", text)]
    servers = await asyncio.gather(*(_server(cell.url) for cell in services.db.cells.all))
    if keyring.server in servers and dev:
        text = _("{keys} keys, beside the data, as always in `saegim dev`", keys=keyring.keys)
        return [Finding("keyring", "ok", text)]
    if keyring.server in servers:
        text = _(
            "{keys} keys. The keyring is on the same server as the data, and so in its "
            "backups. In production, point SAEGIM_KEYRING_URL at another server.",
            keys=keyring.keys,
        )
        return [Finding("keyring", "warning", text)]
    return [Finding("keyring", "ok", _("{keys} keys", keys=keyring.keys))]


async def _parsers() -> list[Finding]:
    """Check how the operating system isolates the parser process."""
    missing = (await probe.look()).missing
    if not missing:
        text = _("the file parser process cannot reach the network, secrets or other files")
        return [Finding("parsers", "ok", text)]
    text = _(
        "On this system the file parser process can access {what}. See 'Reading "
        "files' in docs/concepts/security.md.",
        what=", ".join(UNPROTECTED[name] for name in missing),
    )
    return [Finding("parsers", "warning", text)]


async def _server(url: str) -> int | None:
    """Return the identity of a server, or None if it does not respond."""
    try:
        return await postgres_inspect.server_identity(url)
    except StoreUnavailable:
        return None


async def _redis(services: Services, cell: str) -> list[Finding]:
    try:
        name, version = await services.db.redis.of_cell(cell).server()
    except OptionalServiceDown:
        text = _("not responding. Turns continue with PostgreSQL alone.")
        return [Finding("redis", "warning", text)]
    return [Finding("redis", "ok", f"{name} {version}")]
