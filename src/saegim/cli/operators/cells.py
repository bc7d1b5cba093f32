"""`saegim cell add|list`, and tenants that move between cells."""

from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from saegim.cli import environment
from saegim.cli.console import fail
from saegim.cli.language import _

cell = typer.Typer(no_args_is_help=True)

Data = Annotated[
    Path | None,
    typer.Option(
        help=_("Data folder of the running `saegim dev`. Default: .saegim (SAEGIM_DATA).")
    ),
]


@cell.command(
    "add", help=_("Create the schema of a cell listed in SAEGIM_CELLS and check that it works.")
)
def add(name: Annotated[str, typer.Argument(help=_("Cell name."))], data: Data = None) -> None:
    settings = environment.load_for(data)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.cli.operators import (  # noqa: PLC0415
        cell_commands,
        tenant_commands,
    )

    cell_commands.prepare(settings, name)
    tenant_commands.run(settings, lambda services: cell_commands.show_added(services, name))


@cell.command("list", help=_("List cells with their state and number of tenants."))
def list_cells(data: Data = None) -> None:
    settings = environment.load_for(data)
    from saegim.cli.operators import (  # noqa: PLC0415
        cell_commands,
        tenant_commands,
    )

    tenant_commands.run(settings, cell_commands.show_all)


def move(
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
    data: Data = None,
) -> None:
    if (to is None) != confirm:
        fail(_("Use either --to CELL or --confirm."))
    settings = environment.load_for(data)
    from saegim.cli.operators import (  # noqa: PLC0415
        cell_commands,
        tenant_commands,
    )

    if to is None:
        tenant_commands.run(settings, lambda services: cell_commands.confirm(services, tenant))
    else:
        tenant_commands.run(settings, lambda services: cell_commands.move(services, tenant, to))
