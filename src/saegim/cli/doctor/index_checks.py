"""Checks of the embedders and of the tenants' search indexes."""

import time
from uuid import UUID

from psycopg.errors import UndefinedFunction

from saegim.app.container import Services
from saegim.app.from_settings import owners
from saegim.app.settings import Settings
from saegim.cli.findings import Finding
from saegim.cli.language import _
from saegim.cli.server.preflight import missing_embedders, missing_text
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
        return [Finding("embedder", "broken", missing_text(services, missing))]
    if admin is None:
        text = _(
            "{embedder}: only the owner's login (SAEGIM_POSTGRES_ADMIN_URL) can compare it with "
            "the tenants' indexes",
            embedder=name,
        )
        return [Finding("embedder", "ok", text)]
    try:
        uses = await postgres_inspect.index_uses(admin)
    except StoreUnavailable as outage:
        return [Finding("embedder", "warning", _("not responding. {detail}", detail=outage.detail))]
    if uses is None:
        text = _(
            "{embedder}: the admin role cannot see all tenants, so the indexes were not compared",
            embedder=name,
        )
        return [Finding("embedder", "warning", text)]
    if not uses:
        return [Finding("embedder", "ok", _("{embedder}: no index yet", embedder=name))]
    return [_use(use, name) for use in uses]


async def indexes(services: Services, cell: str) -> list[Finding]:
    """Verify the search indexes of all tenants of a cell, within a time limit."""
    admin = _owner(services.settings, cell)
    try:
        tenants = None if admin is None else await postgres_inspect.all_tenants(admin)
        return [] if tenants is None else await read_indexes(services, tenants)
    except (StoreUnavailable, UndefinedFunction):
        return []  # other checks report these


async def read_indexes(services: Services, tenants: list[UUID]) -> list[Finding]:
    """Verify the search indexes of these tenants."""
    broken, read = list[Finding](), 0
    deadline = time.monotonic() + INDEX_SECONDS
    for tenant in tenants:
        if time.monotonic() > deadline:
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
    """Return the URL of the owner of a cell, if the settings have it."""
    return None if settings.postgres_admin_url is None else owners(settings).get(cell)


def _use(use: postgres_inspect.IndexUse, first: str) -> Finding:
    """Warn about indexes of another embedder than the first, which new tenants use."""
    values = {"embedder": use.embedder, "subject": use.subject, "tenants": use.tenants}
    if use.embedder == first:
        text = _("{embedder}: {subject} index of {tenants} tenants", **values)
        return Finding("embedder", "ok", text)
    text = _(
        "{embedder}: {subject} index of {tenants} tenants. New tenants use "
        "{first}. To move these, run `saegim reembed --to {first}`",
        **values,
        first=first,
    )
    return Finding("embedder", "warning", text)
