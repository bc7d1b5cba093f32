"""Looks at every part of a deployment, each by itself: one that is down hides no other."""

import asyncio
import platform
import time
from dataclasses import replace
from uuid import UUID

from psycopg.errors import UndefinedFunction

from saegim import __version__
from saegim.app.container import Services, build
from saegim.app.from_settings import (
    MissingSetting,
    master_key,
    models_config,
    owners,
    required,
)
from saegim.app.process_protection import protect_process
from saegim.app.settings import Settings
from saegim.cli.doctor.tls_checks import public_url, tls
from saegim.cli.findings import Finding
from saegim.cli.server import listener
from saegim.cli.server.preflight import missing_embedders
from saegim.cli.texts import common as texts, doctor_texts as say
from saegim.client import ClientError, SaegimClient
from saegim.db import inspect as postgres_inspect
from saegim.db.health import StoreHealth
from saegim.db.redis_info import server_of
from saegim.db.revision import newest_revision
from saegim.domain.errors import Degraded, StoreUnavailable
from saegim.encryption import keyring_health as keyring_inspect
from saegim.jobs.worker import QUEUE_CONNECTIONS
from saegim.library.index.maintenance import IndexState
from saegim.library.parsing.sandbox import probe
from saegim.llm.ports import ModelRole

OLDEST_POSTGRES = 16
MOST_LAG_SECONDS = 60.0
READY_SECONDS = 10.0
INDEX_SECONDS = 30.0


def check(settings: Settings, *, dev: bool) -> list[Finding]:
    """Everything that can be found out; `dev` says that a `saegim dev` left these settings."""
    # As the worker does: what the probe finds is what a parser of the worker would.
    protect_process()
    versions = say.VERSIONS(saegim=__version__, python=platform.python_version())
    findings = [Finding("saegim", "ok", versions)]
    try:
        services = build(settings)
    except (MissingSetting, ValueError) as error:
        return [*findings, Finding("settings", "broken", say.SETTING(found=error))]
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
        return [Finding("api", "broken", say.DEV_GONE(url=url))]
    text = say.API(url=url) if ready else say.API_NOT_READY(url=url)
    return [Finding("api", "ok" if ready else "broken", text)]


async def _cell(services: Services, cell: str) -> list[Finding]:
    """All that is a cell's own."""
    looks = (
        _store(services, cell),
        _redis(services, cell),
        _embedder(services, cell),
        _indexes(services, cell),
    )
    found = await asyncio.gather(*looks)
    return [replace(finding, cell=cell) for part in found for finding in part]


async def _store(services: Services, cell: str) -> list[Finding]:
    try:
        health = await services.db.health.check(cell)
    except StoreUnavailable as outage:
        return [Finding("postgres", "broken", say.POSTGRES_DOWN(detail=outage.detail))]
    return [*store(health), connections(health, services.settings), *jobs(health)]


def store(health: StoreHealth) -> list[Finding]:
    """The record store itself: server, extension, schema, fence."""
    new_enough = int(health.server.partition(".")[0]) >= OLDEST_POSTGRES
    server = say.POSTGRES if new_enough else say.POSTGRES_OLD
    newest, at = newest_revision(), health.revision or "-"
    findings = [
        Finding("postgres", "ok" if new_enough else "broken", server(server=health.server)),
        Finding("pgvector", "broken", say.VECTOR_MISSING())
        if health.vector is None
        else Finding("pgvector", "ok", say.VECTOR(version=health.vector)),
        Finding("migrations", "ok", say.MIGRATED(at=at))
        if at >= newest
        else Finding("migrations", "broken", say.PENDING(at=at, newest=newest)),
    ]
    if health.can_bypass:
        return [*findings, Finding("isolation", "broken", texts.CAN_BYPASS())]
    if health.owns_tables:
        return [*findings, Finding("isolation", "broken", texts.OWNS_TABLES())]
    return [*findings, Finding("isolation", "ok", say.FENCED())]


def connections(health: StoreHealth, settings: Settings) -> Finding:
    """Whether the server has the connections that all processes may open, also while old and new
    ones run side by side."""
    # Each process has a probe beside its pool, each worker a pool for its queue.
    api = settings.api_processes * (settings.postgres_connections + 1)
    worker = settings.postgres_connections + 1 + settings.worker_concurrency + QUEUE_CONNECTIONS
    needed = api + max(1, health.workers) * worker
    enough = health.connections >= 2 * needed
    text = say.CONNECTIONS if enough else say.CONNECTIONS_FEW
    found = text(most=health.connections, needed=needed, rollout=2 * needed)
    return Finding("connections", "ok" if enough else "warning", found)


def jobs(health: StoreHealth) -> list[Finding]:
    """Workers, and the work that waits for them."""
    heard = f"{health.heartbeat_seconds or 0.0:.0f}"
    lag = f"{health.lag_seconds:.0f}"
    late = health.lag_seconds > MOST_LAG_SECONDS or health.failed > 0
    text = say.JOBS(waiting=health.waiting, lag=lag, failed=health.failed)
    return [
        Finding("worker", "ok", say.WORKERS(workers=health.workers, seconds=heard))
        if health.workers
        else Finding("worker", "warning", say.WORKERS_NONE()),
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
        return [Finding("keyring", "broken", say.KEYRING_DOWN(detail=outage.detail))]
    if found.opens is False:
        return [Finding("keyring", "broken", say.KEYRING_WRONG())]
    servers = await asyncio.gather(*(_server(cell.url) for cell in services.db.cells.all))
    if found.server in servers:
        return [Finding("keyring", "warning", say.KEYRING_SHARED(keys=found.keys))]
    return [Finding("keyring", "ok", say.KEYRING(keys=found.keys))]


async def _parsers() -> list[Finding]:
    """Which fences a parser of strangers' files has on this machine."""
    missing = (await probe.look()).missing
    if not missing:
        return [Finding("parsers", "ok", say.PARSERS_FENCED())]
    named = ", ".join(say.FENCES[name]() for name in missing)
    return [Finding("parsers", "warning", say.PARSERS_REACH(what=named))]


async def _server(url: str) -> int | None:
    """Which server is behind a login; None where it does not answer."""
    try:
        return await postgres_inspect.server_identity(url)
    except StoreUnavailable:
        return None


async def _redis(services: Services, cell: str) -> list[Finding]:
    try:
        name, version = await server_of(services.db.redis.of_cell(cell))
    except Degraded:
        return [Finding("redis", "warning", say.REDIS_DOWN())]
    return [Finding("redis", "ok", say.REDIS(name=name, version=version))]


async def _embedder(services: Services, cell: str) -> list[Finding]:
    name, admin = services.llm.embedder.name, _owner(services.settings, cell)
    try:
        missing = await missing_embedders(services, cell)
    except StoreUnavailable:
        missing = []
    if missing:
        there = ", ".join(services.llm.embedders.names)
        text = texts.EMBEDDER_MISSING(missing=", ".join(missing), there=there)
        return [Finding("embedder", "broken", text)]
    if admin is None:
        return [Finding("embedder", "warning", say.EMBEDDER_UNKNOWN(embedder=name))]
    try:
        uses = await postgres_inspect.index_uses(admin)
    except StoreUnavailable as outage:
        return [Finding("embedder", "warning", say.POSTGRES_DOWN(detail=outage.detail))]
    if uses is None:
        return [Finding("embedder", "warning", say.EMBEDDER_FENCED(embedder=name))]
    if not uses:
        return [Finding("embedder", "ok", say.EMBEDDER_UNUSED(embedder=name))]
    return [_use(use, name) for use in uses]


async def _indexes(services: Services, cell: str) -> list[Finding]:
    """Reads every tenant's search index, for as long as a look may take."""
    admin = _owner(services.settings, cell)
    try:
        tenants = await postgres_inspect.all_tenants(admin) if admin is not None else None
        if tenants is None:
            return []
        return await read_indexes(services, tenants)
    except (StoreUnavailable, UndefinedFunction):
        return []  # said of Postgres, or of a login that is not the app's, already


async def read_indexes(services: Services, tenants: list[UUID]) -> list[Finding]:
    """What reading the indexes of tenants shows."""
    broken, read = list[Finding](), 0
    until = time.monotonic() + INDEX_SECONDS
    for tenant in tenants:
        if time.monotonic() > until:
            break
        state = await services.library.index_maintenance.check(tenant)
        read += 1
        if state not in (IndexState.OK, IndexState.NONE):
            text = say.INDEX_BROKEN(tenant=tenant, state=state.value)
            broken.append(Finding("index", "broken", text))
    if read < len(tenants):
        text = say.INDEXES_PART(read=read, tenants=len(tenants), seconds=f"{INDEX_SECONDS:.0f}")
        return [*broken, Finding("index", "warning", text)]
    return broken or [Finding("index", "ok", say.INDEXES(read=read))]


def _owner(settings: Settings, cell: str) -> str | None:
    """The owner's login of a cell, where the settings have it."""
    if settings.postgres_admin_url is None:
        return None
    return owners(settings).get(cell)


def _use(use: postgres_inspect.IndexUse, first: str) -> Finding:
    """An index of a provided embedder is well; one of another than the first could be moved."""
    found = {"embedder": use.embedder, "subject": use.subject, "tenants": use.tenants}
    if use.embedder == first:
        return Finding("embedder", "ok", say.EMBEDDER(**found))
    return Finding("embedder", "warning", say.EMBEDDER_OTHER(**found, first=first))


def models(settings: Settings) -> list[Finding]:
    """Who plays each role: a model, or the twin."""
    roles = models_config(settings).roles
    return [
        Finding(
            f"model {role.value}",
            "ok",
            say.MODEL(model=roles[role].model) if role in roles else say.TWIN(),
        )
        for role in ModelRole
    ]
