"""`saegim backup|restore|keys|audit`: what operators do about keys and data."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal
from uuid import UUID

import typer

from saegim.cli import environment
from saegim.cli.console import fail
from saegim.cli.texts import access_texts as say, backup_texts, common as texts

if TYPE_CHECKING:
    from saegim.app.container import Services

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
    from saegim.cli.operators import (  # noqa: PLC0415
        backup_commands,
        tenant_commands,
    )

    if check:
        tenant_commands.run(settings, lambda services: backup_commands.check_backup(services, file))
        return
    options = backup_commands.BackupOptions(with_keyring, force)
    tenant_commands.run(settings, lambda services: backup_commands.back_up(services, file, options))


def restore(file: Place, data: Data = None) -> None:
    settings = environment.load_for(data)
    from saegim.cli.operators import (  # noqa: PLC0415
        backup_commands,
        tenant_commands,
    )

    async def work(services: "Services") -> None:
        await backup_commands.restore(services, file)

    tenant_commands.run(settings, work)


@keys.command("rotate", help=say.HELP_KEYS_ROTATE())
def rotate(
    what: Annotated[What, typer.Argument(help=say.HELP_WHAT())],
    tenant: Annotated[UUID | None, typer.Option(help=texts.HELP_TENANT_ID())] = None,
    data: Data = None,
) -> None:
    if what != "master" and tenant is None:
        fail(say.NEEDS_TENANT())
    settings = environment.load_for(data)
    from saegim.cli.operators import (  # noqa: PLC0415
        key_commands,
        tenant_commands,
    )

    tenant_commands.run(settings, lambda services: key_commands.rotate(services, what, tenant))


@keys.command("prune", help=say.HELP_KEYS_PRUNE())
def prune(data: Data = None) -> None:
    settings = environment.load_for(data)
    from saegim.cli.operators import (  # noqa: PLC0415
        key_commands,
        tenant_commands,
    )

    tenant_commands.run(settings, key_commands.prune_keys)


@audit.command("verify", help=say.HELP_AUDIT_VERIFY())
def verify(
    tenant: Annotated[UUID, typer.Option(help=texts.HELP_TENANT_ID())], data: Data = None
) -> None:
    settings = environment.load_for(data)
    from saegim.cli.operators import (  # noqa: PLC0415
        key_commands,
        tenant_commands,
    )

    tenant_commands.run(settings, lambda services: key_commands.verify(services, tenant))


@audit.command("accept", help=say.HELP_AUDIT_ACCEPT())
def accept(
    tenant: Annotated[UUID, typer.Option(help=texts.HELP_TENANT_ID())], data: Data = None
) -> None:
    settings = environment.load_for(data)
    from saegim.cli.operators import (  # noqa: PLC0415
        key_commands,
        tenant_commands,
    )

    tenant_commands.run(settings, lambda services: key_commands.accept_head(services, tenant))
