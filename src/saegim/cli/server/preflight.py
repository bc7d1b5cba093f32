"""Checks before a process serves: schema, row-level security, embedders in use."""

import asyncio
import time
from collections.abc import Sequence

from saegim.app.container import Services, build
from saegim.app.from_settings import MissingSetting
from saegim.app.settings import Settings
from saegim.cli.console import fail
from saegim.cli.environment import fail_invalid
from saegim.cli.language import _
from saegim.db.cells import HOME_CELL
from saegim.db.health import StoreHealth
from saegim.db.revision import newest_revision
from saegim.domain.errors import NotFound, StoreUnavailable
from saegim.locales import N_

CAN_BYPASS = N_(
    "The role in SAEGIM_POSTGRES_URL can bypass row-level security. Use a role "
    "that is neither a superuser nor BYPASSRLS."
)
OWNS_TABLES = N_(
    "The role in SAEGIM_POSTGRES_URL owns the tables. Use the owner only in "
    "SAEGIM_POSTGRES_ADMIN_URL and another role here."
)
WAIT_SECONDS = 30.0
POLL_SECONDS = 0.5


def build_or_fail(settings: Settings) -> Services:
    """Return the services; exit if the settings are incomplete."""
    try:
        return build(settings)
    except (MissingSetting, ValueError) as error:
        fail_invalid(error)


def require_schema(settings: Settings, cell: str = HOME_CELL) -> StoreHealth:
    """Wait until the cell has a schema that this release can use; exit if that takes too long."""
    return asyncio.run(_wait_for_schema(build_or_fail(settings), cell))


def preflight_checks(settings: Settings, cell: str = HOME_CELL) -> None:
    """Exit if the role of the application could bypass row-level security."""
    health = require_schema(settings, cell)
    if health.can_bypass:
        fail(CAN_BYPASS)
    if health.owns_tables:
        fail(OWNS_TABLES)


async def require_embedders(services: Services, cell: str = HOME_CELL) -> None:
    """Exit if an index uses an embedder that is not configured."""
    missing = await missing_embedders(services, cell)
    if missing:
        fail(missing_text(services, missing))


def missing_text(services: Services, missing: Sequence[str]) -> str:
    return _(
        "Existing indexes use an embedder that is not configured: {missing} "
        "(configured: {there}). Add it to SAEGIM_EMBEDDERS, or switch with `saegim "
        "reembed --to NAME`.",
        missing=", ".join(missing),
        there=", ".join(services.llm.embedders.names),
    )


async def missing_embedders(services: Services, cell: str = HOME_CELL) -> list[str]:
    """Return the embedders that indexes of a cell use and that are not configured."""
    in_use = await services.db.health.embedders_in_use(cell)
    return [name for name in in_use if services.llm.embedders.find(name) is None]


async def _wait_for_schema(services: Services, cell: str) -> StoreHealth:
    deadline = time.monotonic() + WAIT_SECONDS
    await services.open()
    try:
        while True:
            try:
                health = await services.db.health.check(cell)
                problem = _(
                    "The schema is outdated (at {at}, latest is {newest}). Run `saegim "
                    "migrate` first.",
                    at=health.revision,
                    newest=newest_revision(),
                )
                if (health.revision or "") >= newest_revision():
                    await require_embedders(services, cell)
                    return health
            except NotFound:
                fail("SAEGIM_CELLS has no cell named {cell}.", cell=cell)
            except StoreUnavailable as outage:
                problem = _("Cannot connect to PostgreSQL. {detail}", detail=outage.detail)
            if time.monotonic() >= deadline:
                fail(problem)
            await asyncio.sleep(POLL_SECONDS)
    finally:
        await services.close()
