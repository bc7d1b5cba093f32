"""What has to hold before a process of ours may serve: schema, fence, the embedders in use."""

import asyncio
import time

from saegim.app.container import Services, build
from saegim.app.from_settings import MissingSetting
from saegim.app.settings import Settings
from saegim.cli.console import fail
from saegim.cli.language import _
from saegim.db.cells import HOME_CELL
from saegim.db.health import StoreHealth
from saegim.db.revision import newest_revision
from saegim.domain.errors import NotFound, StoreUnavailable

WAIT_SECONDS = 30.0
POLL_SECONDS = 0.5


def build_or_fail(settings: Settings) -> Services:
    """Services, or the end of the command where the settings do not suffice."""
    try:
        return build(settings)
    except (MissingSetting, ValueError) as error:
        fail(_("Invalid setting: {found}", found=error))


def require_schema(settings: Settings, cell: str = HOME_CELL) -> StoreHealth:
    """Waits for a cell and a schema that this release can use; else ends the command."""
    return asyncio.run(_look(build_or_fail(settings), cell))


def preflight_checks(settings: Settings, cell: str = HOME_CELL) -> None:
    """Ends the command where the app's login could reach past row-level security."""
    health = require_schema(settings, cell)
    if health.can_bypass:
        fail(
            _(
                "The role in SAEGIM_POSTGRES_URL can bypass row-level security. Use a role "
                "that is neither a superuser nor BYPASSRLS."
            )
        )
    if health.owns_tables:
        fail(
            _(
                "The role in SAEGIM_POSTGRES_URL owns the tables. Use the owner only in "
                "SAEGIM_POSTGRES_ADMIN_URL and another role here."
            )
        )


async def require_embedders(services: Services, cell: str = HOME_CELL) -> None:
    """Ends the command, naming it, where an index is made with an embedder that is not provided."""
    missing = await missing_embedders(services, cell)
    if missing:
        there = ", ".join(services.llm.embedders.names)
        fail(
            _(
                "Existing indexes use an embedder that is not configured: {missing} "
                "(configured: {there}). Add it to SAEGIM_EMBEDDERS, or switch with `saegim "
                "reembed --to NAME`.",
                missing=", ".join(missing),
                there=there,
            )
        )


async def missing_embedders(services: Services, cell: str = HOME_CELL) -> list[str]:
    """Embedders that indexes of a cell are made with and the settings do not provide."""
    in_use = await services.db.health.embedders_in_use(cell)
    return [name for name in in_use if services.llm.embedders.find(name) is None]


async def _look(services: Services, cell: str) -> StoreHealth:
    """The store may come up after us, and be migrated meanwhile: it gets some time."""
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
                fail(_("SAEGIM_CELLS has no cell named {cell}.", cell=cell))
            except StoreUnavailable as outage:
                problem = _("Cannot connect to PostgreSQL. {detail}", detail=outage.detail)
            if time.monotonic() >= deadline:
                fail(problem)
            await asyncio.sleep(POLL_SECONDS)
    finally:
        await services.close()
