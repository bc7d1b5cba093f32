"""`saegim cell add|list`, and tenants that move between cells."""

from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from saegim.cli import environment
from saegim.cli.console import fail
from saegim.cli.texts import cell_texts as say, common as texts

cell = typer.Typer(no_args_is_help=True)

Data = Annotated[Path | None, typer.Option(help=texts.HELP_DATA())]


@cell.command("add", help=say.HELP_ADD())
def add(name: Annotated[str, typer.Argument(help=say.HELP_NAME())], data: Data = None) -> None:
    settings = environment.load_for(data)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.cli.operators import (  # noqa: PLC0415
        cell_commands,
        tenant_commands,
    )

    cell_commands.prepare(settings, name)
    tenant_commands.run(settings, lambda services: cell_commands.show_added(services, name))


@cell.command("list", help=say.HELP_LIST())
def list_cells(data: Data = None) -> None:
    settings = environment.load_for(data)
    from saegim.cli.operators import (  # noqa: PLC0415
        cell_commands,
        tenant_commands,
    )

    tenant_commands.run(settings, cell_commands.show_all)


def move(
    tenant: Annotated[UUID, typer.Argument(help=say.HELP_TENANT())],
    to: Annotated[str | None, typer.Option(help=say.HELP_TO())] = None,
    confirm: Annotated[bool, typer.Option("--confirm", help=say.HELP_CONFIRM())] = False,
    data: Data = None,
) -> None:
    if (to is None) != confirm:
        fail(say.MOVE_OR_CONFIRM())
    settings = environment.load_for(data)
    from saegim.cli.operators import (  # noqa: PLC0415
        cell_commands,
        tenant_commands,
    )

    if to is None:
        tenant_commands.run(settings, lambda services: cell_commands.confirm(services, tenant))
    else:
        tenant_commands.run(settings, lambda services: cell_commands.move(services, tenant, to))
