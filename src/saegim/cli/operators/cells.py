"""`saegim cell`, and `saegim tenant move` between cells."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from saegim.cli import environment
from saegim.cli.console import fail, say
from saegim.cli.environment import Data
from saegim.cli.json_output import report
from saegim.cli.language import _
from saegim.cli.service_commands import run_work, service_command
from saegim.domain.errors import StoreUnavailable

if TYPE_CHECKING:
    from saegim.app.container import Services

cell = typer.Typer(no_args_is_help=True)


@dataclass(frozen=True, slots=True)
class CellReport:
    cell: str
    up: bool
    revision: str | None = None
    tenants: int = 0
    workers: int = 0
    waiting: int = 0


@cell.command(
    "add", help=_("Create the schema of a cell listed in SAEGIM_CELLS and check that it works.")
)
def add(name: Annotated[str, typer.Argument(help=_("Cell name."))], data: Data = None) -> None:
    from saegim.db.migrate import migrate  # noqa: PLC0415

    settings = environment.load_for(data)
    urls = settings.cells.get(name)
    if urls is None or urls.postgres_admin_url is None:
        fail("Cell {cell} has no postgres_admin_url in SAEGIM_CELLS.", cell=name)
    migrate(urls.postgres_admin_url.get_secret_value(), urls.postgres_url.get_secret_value())

    async def check(services: "Services") -> None:
        health = await services.db.health.check(name)
        report({"cell": name, "revision": health.revision})
        say("Cell {cell} is ready (schema {revision}).", cell=name, revision=health.revision)

    run_work(settings, check)


@service_command(cell, "list", _("List cells with their state and number of tenants."))
async def list_cells(services: "Services") -> None:
    counts = await services.moves().tenants_by_cell()
    names = [cell.name for cell in services.db.cells.all]
    for each in report([await _describe(services, name, counts.get(name, 0)) for name in names]):
        state = _("up") if each.up else _("down")
        say(
            "{cell}: {state}, schema {revision}, {tenants} tenants, {workers} workers, "
            "{waiting} queued jobs",
            **asdict(each) | {"state": state, "revision": each.revision or "-"},
        )


async def _describe(services: "Services", name: str, tenants: int) -> CellReport:
    try:
        health = await services.db.health.check(name)
    except StoreUnavailable:
        return CellReport(name, up=False, tenants=tenants)
    return CellReport(name, True, health.revision, tenants, health.workers, health.waiting)


async def move(
    services: "Services",
    tenant: Annotated[UUID, typer.Argument(help=_("Tenant ID."))],
    to: Annotated[
        str | None,
        typer.Option(
            help=_("Destination cell. Before --confirm, name the original cell to move back.")
        ),
    ] = None,
    confirm: Annotated[
        bool,
        typer.Option(
            "--confirm",
            help=_(
                "Confirm the move and delete the data from the old cell. This cannot be undone."
            ),
        ),
    ] = False,
) -> None:
    if (to is None) != confirm:
        fail("Use either --to CELL or --confirm.")
    if to is None:
        removed = await services.moves().confirm(tenant)
        report({"rows": removed})
        say("Move confirmed. Deleted {rows} rows from the old cell.", rows=removed)
        return
    moved = report(await services.moves().move(tenant, to))
    say(
        "Moved {rows} rows and {jobs} jobs. Writes were paused for {seconds} s. To "
        "confirm: `saegim tenant move {tenant} --confirm`.",
        rows=moved.rows,
        jobs=moved.jobs,
        seconds=round(moved.paused_seconds, 2),
        tenant=tenant,
    )
