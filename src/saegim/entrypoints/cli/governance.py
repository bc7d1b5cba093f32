"""`saegim backup|restore|keys|audit`: what operators do about keys and data."""

from pathlib import Path
from typing import Annotated, Literal
from uuid import UUID

import typer

from saegim.entrypoints.cli import access_texts as say
from saegim.entrypoints.cli import environment, texts
from saegim.entrypoints.cli.console import fail

keys = typer.Typer(no_args_is_help=True)
audit = typer.Typer(no_args_is_help=True)

Data = Annotated[Path | None, typer.Option(help=texts.HELP_DATA())]
Place = Annotated[str, typer.Argument(help=say.HELP_BACKUP_FILE())]
What = Literal["data", "tenant", "master"]


def backup(
    file: Place,
    check: Annotated[bool, typer.Option("--check", help=say.HELP_BACKUP_CHECK())] = False,
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.entrypoints.cli import operators, stewards  # noqa: PLC0415

    act = stewards.check_backup if check else stewards.back_up
    operators.run(settings, lambda services: act(services, file))


def restore(file: Place, data: Data = None) -> None:
    settings = environment.load_for(data)
    from saegim.entrypoints.cli import operators, stewards  # noqa: PLC0415

    operators.run(settings, lambda services: stewards.restore(services, file))


@keys.command("rotate", help=say.HELP_KEYS_ROTATE())
def rotate(
    what: Annotated[What, typer.Argument(help=say.HELP_WHAT())],
    tenant: Annotated[UUID | None, typer.Option(help=texts.HELP_TENANT_ID())] = None,
    data: Data = None,
) -> None:
    if what != "master" and tenant is None:
        fail(say.NEEDS_TENANT())
    settings = environment.load_for(data)
    from saegim.entrypoints.cli import operators, stewards  # noqa: PLC0415

    operators.run(settings, lambda services: stewards.rotate(services, what, tenant))


@keys.command("prune", help=say.HELP_KEYS_PRUNE())
def prune(data: Data = None) -> None:
    settings = environment.load_for(data)
    from saegim.entrypoints.cli import operators, stewards  # noqa: PLC0415

    operators.run(settings, stewards.prune_keys)


@audit.command("verify", help=say.HELP_AUDIT_VERIFY())
def verify(
    tenant: Annotated[UUID, typer.Option(help=texts.HELP_TENANT_ID())], data: Data = None
) -> None:
    settings = environment.load_for(data)
    from saegim.entrypoints.cli import operators, stewards  # noqa: PLC0415

    operators.run(settings, lambda services: stewards.verify(services, tenant))


@audit.command("accept", help=say.HELP_AUDIT_ACCEPT())
def accept(
    tenant: Annotated[UUID, typer.Option(help=texts.HELP_TENANT_ID())], data: Data = None
) -> None:
    settings = environment.load_for(data)
    from saegim.entrypoints.cli import operators, stewards  # noqa: PLC0415

    operators.run(settings, lambda services: stewards.accept_head(services, tenant))
