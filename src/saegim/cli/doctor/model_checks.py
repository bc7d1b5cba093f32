"""Checks of models: one call per role, of the environment and of tenants' connections."""

from contextlib import suppress
from uuid import UUID

import psycopg

from saegim.app.container import Services
from saegim.app.from_settings import owners
from saegim.cli.findings import Finding
from saegim.cli.language import _
from saegim.db import inspect as postgres_inspect
from saegim.domain.errors import StoreUnavailable
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
        else Finding(f"model {role.value}", "ok", _("no model, rule-based fallback"))
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
