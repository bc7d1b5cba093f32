"""The work of the commands about cells, through the services themselves."""

from dataclasses import dataclass
from uuid import UUID

from saegim.app.container import Services
from saegim.app.settings import Settings
from saegim.cli.console import fail, out
from saegim.cli.json_output import report
from saegim.cli.language import _
from saegim.db.migrate import migrate
from saegim.domain.errors import StoreUnavailable


@dataclass(frozen=True, slots=True)
class CellReport:
    """A cell as operators see it."""

    cell: str
    up: bool
    revision: str | None = None
    tenants: int = 0
    workers: int = 0
    waiting: int = 0


def prepare(settings: Settings, name: str) -> None:
    """Brings a cell's schema up to date; the home cell's is `saegim migrate`'s."""
    place = settings.cells.get(name)
    if place is None or place.postgres_admin_url is None:
        fail(_("Cell {cell} has no postgres_admin_url in SAEGIM_CELLS.", cell=name))
    migrate(place.postgres_admin_url.get_secret_value(), place.postgres_url.get_secret_value())


async def show_added(services: Services, name: str) -> None:
    health = await services.db.health.check(name)
    report({"cell": name, "revision": health.revision})
    out.print(_("Cell {cell} is ready (schema {revision}).", cell=name, revision=health.revision))


async def show_all(services: Services) -> None:
    counted = await services.moves().tenants_by_cell()
    lines = [
        await _line(services, cell.name, counted.get(cell.name, 0))
        for cell in services.db.cells.all
    ]
    report(lines)
    for line in lines:
        shown = _(
            "{cell}: {state}, schema {revision}, {tenants} tenants, {workers} workers, "
            "{waiting} queued jobs",
            cell=line.cell,
            state=_("up") if line.up else _("down"),
            revision=line.revision or "-",
            tenants=line.tenants,
            workers=line.workers,
            waiting=line.waiting,
        )
        out.print(shown, soft_wrap=True)


async def _line(services: Services, name: str, tenants: int) -> CellReport:
    try:
        health = await services.db.health.check(name)
    except StoreUnavailable:
        return CellReport(name, up=False, tenants=tenants)
    return CellReport(name, True, health.revision, tenants, health.workers, health.waiting)


async def move(services: Services, tenant: UUID, to: str) -> None:
    moved = await services.moves().move(tenant, to)
    report(moved)
    seconds = round(moved.paused_seconds, 2)
    shown = _(
        "Moved {rows} rows and {jobs} jobs. Writes were paused for {seconds} s. To "
        "confirm: `saegim tenant move {tenant} --confirm`.",
        rows=moved.rows,
        jobs=moved.jobs,
        seconds=seconds,
        tenant=tenant,
    )
    out.print(shown, soft_wrap=True)


async def confirm(services: Services, tenant: UUID) -> None:
    removed = await services.moves().confirm(tenant)
    report({"rows": removed})
    out.print(_("Move confirmed. Deleted {rows} rows from the old cell.", rows=removed))
