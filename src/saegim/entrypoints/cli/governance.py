"""`saegim backup|restore|keys|audit`: what operators do about keys and data."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal
from uuid import UUID

import typer

from saegim.entrypoints.cli import access_texts as say
from saegim.entrypoints.cli import backup_texts, environment, texts
from saegim.entrypoints.cli.console import fail

if TYPE_CHECKING:
    from saegim.bootstrap import Services

keys = typer.Typer(no_args_is_help=True)
audit = typer.Typer(no_args_is_help=True)

Data = Annotated[Path | None, typer.Option(help=texts.HELP_DATA())]
Place = Annotated[str, typer.Argument(help=backup_texts.HELP_FILE())]
What = Literal["data", "tenant", "master"]


def backup(
    file: Place,
    check: Annotated[bool, typer.Option("--check", help=backup_texts.HELP_CHECK())] = False,
    with_keyring: Annotated[
        bool, typer.Option("--with-keyring", help=backup_texts.HELP_WITH_KEYRING())
    ] = False,
    force: Annotated[bool, typer.Option("--force", help=backup_texts.HELP_FORCE())] = False,
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.entrypoints.cli import backup_commands, operators  # noqa: PLC0415

    if check:
        operators.run(settings, lambda services: backup_commands.check_backup(services, file))
        return
    options = backup_commands.BackupOptions(with_keyring, force)
    operators.run(settings, lambda services: backup_commands.back_up(services, file, options))


def restore(file: Place, data: Data = None) -> None:
    settings = environment.load_for(data)
    from saegim.entrypoints.cli import backup_commands, operators  # noqa: PLC0415

    async def work(services: "Services") -> None:
        await backup_commands.restore(services, file)

    operators.run(settings, work)


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
