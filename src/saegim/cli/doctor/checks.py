"""Looks at every part of a deployment, each by itself: one that is down hides no other."""

import asyncio
import platform
from dataclasses import replace

from saegim import __version__
from saegim.app.container import Services, build
from saegim.app.from_settings import (
    MissingSetting,
    master_key,
    models_config,
    required,
)
from saegim.app.process_protection import protect_process
from saegim.app.settings import Settings
from saegim.cli.doctor.index_checks import embedder, indexes
from saegim.cli.doctor.tls_checks import public_url, tls
from saegim.cli.findings import Finding
from saegim.cli.language import _
from saegim.cli.server import listener
from saegim.client import ClientError, SaegimClient
from saegim.db import inspect as postgres_inspect
from saegim.db.health import StoreHealth
from saegim.db.redis_info import server_of
from saegim.db.revision import newest_revision
from saegim.domain.errors import OptionalServiceDown, StoreUnavailable
from saegim.encryption import keyring_health as keyring_inspect
from saegim.jobs.worker import QUEUE_CONNECTIONS
from saegim.library.parsing.sandbox import probe
from saegim.llm.ports import ModelRole

FENCES = {
    "network": _("the network"),
    "environment": _("the environment variables of the server"),
    "files": _("files the server can read"),
    "writing": _("writing files"),
}
OLDEST_POSTGRES = 16
MOST_LAG_SECONDS = 60.0
READY_SECONDS = 10.0


def check(settings: Settings, *, dev: bool) -> list[Finding]:
    """Everything that can be found out; `dev` says that a `saegim dev` left these settings."""
    # As the worker does: what the probe finds is what a parser of the worker would.
    protect_process()
    versions = _(
        "Saegim {saegim}, Python {python}", saegim=__version__, python=platform.python_version()
    )
    findings = [Finding("saegim", "ok", versions)]
    try:
        services = build(settings)
    except (MissingSetting, ValueError) as error:
        return [*findings, Finding("settings", "broken", f"{error}")]
    return findings + asyncio.run(_check(services, dev))


async def _check(services: Services, dev: bool) -> list[Finding]:
    settings = services.settings
    await services.open()
    try:
        cells = (_cell(services, cell.name) for cell in services.db.cells.all)
        looks = [*cells, _keyring(services), _parsers()]
        if dev:
            looks.insert(0, _api(settings))
        found = await asyncio.gather(*looks)
    finally:
        await services.close()
    parts = [finding for part in found for finding in part]
    return [*parts, *tls(settings), *([] if dev else public_url(settings)), *models(settings)]


async def _api(settings: Settings) -> list[Finding]:
    url = listener.address(settings.host, settings.port)
    try:
        async with SaegimClient(url, key="", timeout=READY_SECONDS) as client:
            ready = (await client.ready()).ready
    except ClientError:
        return [
            Finding(
                "api",
                "broken",
                _(
                    "`saegim dev` does not respond at {url}. If it has stopped, start it again.",
                    url=url,
                ),
            )
        ]
    text = (
        _("responding at {url}", url=url)
        if ready
        else _("responding at {url}, but not ready to serve requests", url=url)
    )
    return [Finding("api", "ok" if ready else "broken", text)]


async def _cell(services: Services, cell: str) -> list[Finding]:
    """All that is a cell's own."""
    looks = (
        _store(services, cell),
        _redis(services, cell),
        embedder(services, cell),
        indexes(services, cell),
    )
    found = await asyncio.gather(*looks)
    return [replace(finding, cell=cell) for part in found for finding in part]


async def _store(services: Services, cell: str) -> list[Finding]:
    try:
        health = await services.db.health.check(cell)
    except StoreUnavailable as outage:
        return [Finding("postgres", "broken", _("not responding. {detail}", detail=outage.detail))]
    return [*store(health), connections(health, services.settings), *jobs(health)]


def store(health: StoreHealth) -> list[Finding]:
    """The record store itself: server, extension, schema, fence."""
    new_enough = int(health.server.partition(".")[0]) >= OLDEST_POSTGRES
    server = (
        f"PostgreSQL {health.server}"
        if new_enough
        else _(
            "PostgreSQL {server} is too old. Version 16 or later is required.", server=health.server
        )
    )
    newest, at = newest_revision(), health.revision or "-"
    findings = [
        Finding("postgres", "ok" if new_enough else "broken", server),
        Finding("pgvector", "broken", _("The pgvector extension is missing. Run `saegim migrate`."))
        if health.vector is None
        else Finding("pgvector", "ok", f"pgvector {health.vector}"),
        Finding("migrations", "ok", _("up to date ({at})", at=at))
        if at >= newest
        else Finding(
            "migrations",
            "broken",
            _(
                "Migrations are pending (at {at}, latest is {newest}). Run `saegim migrate`.",
                at=at,
                newest=newest,
            ),
        ),
    ]
    return [*findings, _isolation(health)]


def _isolation(health: StoreHealth) -> Finding:
    if health.can_bypass:
        text = _(
            "The role in SAEGIM_POSTGRES_URL can bypass row-level security. Use a role "
            "that is neither a superuser nor BYPASSRLS."
        )
        return Finding("isolation", "broken", text)
    if health.owns_tables:
        text = _(
            "The role in SAEGIM_POSTGRES_URL owns the tables. Use the owner only in "
            "SAEGIM_POSTGRES_ADMIN_URL and another role here."
        )
        return Finding("isolation", "broken", text)
    return Finding("isolation", "ok", _("the application role cannot bypass row-level security"))


def connections(health: StoreHealth, settings: Settings) -> Finding:
    """Whether the server has the connections that all processes may open, also while old and new
    ones run side by side."""
    # Each process has a probe beside its pool, each worker a pool for its queue.
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
    found = text.format(most=health.connections, needed=needed, rollout=2 * needed)
    return Finding("connections", "ok" if enough else "warning", found)


def jobs(health: StoreHealth) -> list[Finding]:
    """Workers, and the work that waits for them."""
    heard = f"{health.heartbeat_seconds or 0.0:.0f}"
    lag = f"{health.lag_seconds:.0f}"
    late = health.lag_seconds > MOST_LAG_SECONDS or health.failed > 0
    text = _(
        "{waiting} waiting, {lag} s behind, {failed} failed",
        waiting=health.waiting,
        lag=lag,
        failed=health.failed,
    )
    return [
        Finding(
            "worker",
            "ok",
            _(
                "{workers} workers, last heartbeat {seconds} s ago",
                workers=health.workers,
                seconds=heard,
            ),
        )
        if health.workers
        else Finding(
            "worker",
            "warning",
            _("No worker is running. Turns continue, but indexing is paused. Run `saegim worker`."),
        ),
        Finding("jobs", "warning" if late else "ok", text),
    ]


async def _keyring(services: Services) -> list[Finding]:
    settings = services.settings
    master = master_key(settings)
    try:
        found = await keyring_inspect.look(
            required(settings.keyring_url, "SAEGIM_KEYRING_URL"), master
        )
    except StoreUnavailable as outage:
        return [
            Finding(
                "keyring",
                "broken",
                _(
                    "The keyring is unavailable, so no data can be read. {detail}",
                    detail=outage.detail,
                ),
            )
        ]
    if found.opens is False:
        return [
            Finding(
                "keyring",
                "broken",
                _(
                    "SAEGIM_MASTER_KEY does not match the keyring. Set the key the keyring was "
                    "created with."
                ),
            )
        ]
    servers = await asyncio.gather(*(_server(cell.url) for cell in services.db.cells.all))
    if found.server in servers:
        return [
            Finding(
                "keyring",
                "warning",
                _(
                    "{keys} keys. The keyring is on the same server as the data, and so in its "
                    "backups. In production, point SAEGIM_KEYRING_URL at another server.",
                    keys=found.keys,
                ),
            )
        ]
    return [Finding("keyring", "ok", _("{keys} keys", keys=found.keys))]


async def _parsers() -> list[Finding]:
    """Which fences a parser of strangers' files has on this machine."""
    missing = (await probe.look()).missing
    if not missing:
        return [
            Finding(
                "parsers",
                "ok",
                _("the file parser process cannot reach the network, secrets or other files"),
            )
        ]
    named = ", ".join(FENCES[name] for name in missing)
    return [
        Finding(
            "parsers",
            "warning",
            _(
                "On this system the file parser process can access {what}. See 'Reading "
                "files' in docs/concepts/security.md.",
                what=named,
            ),
        )
    ]


async def _server(url: str) -> int | None:
    """Which server is behind a login; None where it does not answer."""
    try:
        return await postgres_inspect.server_identity(url)
    except StoreUnavailable:
        return None


async def _redis(services: Services, cell: str) -> list[Finding]:
    try:
        name, version = await server_of(services.db.redis.of_cell(cell))
    except OptionalServiceDown:
        return [
            Finding("redis", "warning", _("not responding. Turns continue with PostgreSQL alone."))
        ]
    return [Finding("redis", "ok", f"{name} {version}")]


def models(settings: Settings) -> list[Finding]:
    """Who plays each role: a model, or the twin."""
    roles = models_config(settings).roles
    return [
        Finding(
            f"model {role.value}",
            "ok",
            f"{roles[role].model}" if role in roles else _("no model, rule-based fallback"),
        )
        for role in ModelRole
    ]
