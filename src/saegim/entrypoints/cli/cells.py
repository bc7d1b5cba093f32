"""`saegim cell add|list`, and tenants that move between cells."""

from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from saegim.entrypoints.cli import cell_texts as say
from saegim.entrypoints.cli import environment, texts
from saegim.entrypoints.cli.console import fail

cell = typer.Typer(no_args_is_help=True)

Data = Annotated[Path | None, typer.Option(help=texts.HELP_DATA())]


@cell.command("add", help=say.HELP_ADD())
def add(name: Annotated[str, typer.Argument(help=say.HELP_NAME())], data: Data = None) -> None:
    settings = environment.load_for(data)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.entrypoints.cli import cell_work, operators  # noqa: PLC0415

    cell_work.prepare(settings, name)
    operators.run(settings, lambda services: cell_work.show_added(services, name))


@cell.command("list", help=say.HELP_LIST())
def list_cells(data: Data = None) -> None:
    settings = environment.load_for(data)
    from saegim.entrypoints.cli import cell_work, operators  # noqa: PLC0415

    operators.run(settings, cell_work.show_all)


def move(
    tenant: Annotated[UUID, typer.Argument(help=say.HELP_TENANT())],
    to: Annotated[str | None, typer.Option(help=say.HELP_TO())] = None,
    confirm: Annotated[bool, typer.Option("--confirm", help=say.HELP_CONFIRM())] = False,
    data: Data = None,
) -> None:
    if (to is None) != confirm:
        fail(say.MOVE_OR_CONFIRM())
    settings = environment.load_for(data)
    from saegim.entrypoints.cli import cell_work, operators  # noqa: PLC0415

    if to is None:
        operators.run(settings, lambda services: cell_work.confirm(services, tenant))
    else:
        operators.run(settings, lambda services: cell_work.move(services, tenant, to))
