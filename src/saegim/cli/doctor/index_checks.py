"""Checks of the embedders and of the tenants' search indexes."""

import time
from uuid import UUID

from psycopg.errors import UndefinedFunction

from saegim.app.container import Services
from saegim.app.from_settings import owners
from saegim.app.settings import Settings
from saegim.cli.findings import Finding
from saegim.cli.language import _
from saegim.cli.server.preflight import missing_embedders
from saegim.db import inspect as postgres_inspect
from saegim.domain.errors import StoreUnavailable
from saegim.library.index.maintenance import IndexState

INDEX_SECONDS = 30.0


async def embedder(services: Services, cell: str) -> list[Finding]:
    name, admin = services.llm.embedder.name, _owner(services.settings, cell)
    try:
        missing = await missing_embedders(services, cell)
    except StoreUnavailable:
        missing = []
    if missing:
        there = ", ".join(services.llm.embedders.names)
        text = _(
            "Existing indexes use an embedder that is not configured: {missing} "
            "(configured: {there}). Add it to SAEGIM_EMBEDDERS, or switch with `saegim "
            "reembed --to NAME`.",
            missing=", ".join(missing),
            there=there,
        )
        return [Finding("embedder", "broken", text)]
    if admin is None:
        return [
            Finding(
                "embedder",
                "warning",
                _(
                    "{embedder}: set SAEGIM_POSTGRES_ADMIN_URL to compare it with the tenants' "
                    "indexes",
                    embedder=name,
                ),
            )
        ]
    try:
        uses = await postgres_inspect.index_uses(admin)
    except StoreUnavailable as outage:
        return [Finding("embedder", "warning", _("not responding. {detail}", detail=outage.detail))]
    if uses is None:
        return [
            Finding(
                "embedder",
                "warning",
                _(
                    "{embedder}: the admin role cannot see all tenants, so the indexes were "
                    "not compared",
                    embedder=name,
                ),
            )
        ]
    if not uses:
        return [Finding("embedder", "ok", _("{embedder}: no index yet", embedder=name))]
    return [_use(use, name) for use in uses]


async def indexes(services: Services, cell: str) -> list[Finding]:
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
            text = _(
                "The search index of tenant {tenant} is damaged or missing ({state}). A "
                "worker rebuilds it. To rebuild it now, run `saegim library reindex "
                "--tenant {tenant}`.",
                tenant=tenant,
                state=state.value,
            )
            broken.append(Finding("index", "broken", text))
    if read < len(tenants):
        text = _(
            "indexes of {read} of {tenants} tenants verified in {seconds} s",
            read=read,
            tenants=len(tenants),
            seconds=f"{INDEX_SECONDS:.0f}",
        )
        return [*broken, Finding("index", "warning", text)]
    return broken or [Finding("index", "ok", _("{read} indexes verified", read=read))]


def _owner(settings: Settings, cell: str) -> str | None:
    """The owner's login of a cell, where the settings have it."""
    if settings.postgres_admin_url is None:
        return None
    return owners(settings).get(cell)


def _use(use: postgres_inspect.IndexUse, first: str) -> Finding:
    """An index of a provided embedder is well; one of another than the first could be moved."""
    found = {"embedder": use.embedder, "subject": use.subject, "tenants": use.tenants}
    if use.embedder == first:
        return Finding(
            "embedder", "ok", _("{embedder}: {subject} index of {tenants} tenants", **found)
        )
    return Finding(
        "embedder",
        "warning",
        _(
            "{embedder}: {subject} index of {tenants} tenants. New tenants use "
            "{first}. To move these, run `saegim reembed --to {first}`",
            **found,
            first=first,
        ),
    )
