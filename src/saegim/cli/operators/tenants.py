"""What operators do with tenants and keys."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from saegim.cli import environment
from saegim.cli.operators import cells
from saegim.cli.texts import backup_texts, cell_texts, common as texts
from saegim.domain.scope import Locale, Role

if TYPE_CHECKING:
    from saegim.app.container import Services

tenant = typer.Typer(no_args_is_help=True)
key = typer.Typer(no_args_is_help=True)

Data = Annotated[Path | None, typer.Option(help=texts.HELP_DATA())]
TenantFile = Annotated[Path, typer.Argument(help=backup_texts.HELP_EXPORT_FILE(), dir_okay=False)]
PassphraseFile = Annotated[
    Path | None,
    typer.Option(help=backup_texts.HELP_PASSPHRASE_FILE(), exists=True, dir_okay=False),
]


@tenant.command("create", help=texts.HELP_TENANT_CREATE())
def create_tenant(
    name: Annotated[str, typer.Argument(help=texts.HELP_NAME())],
    locale: Annotated[Locale, typer.Option(help=texts.HELP_LOCALE())] = "ko",
    cell: Annotated[str, typer.Option(help=cell_texts.HELP_OF_TENANT())] = "main",
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.cli.operators import tenant_commands  # noqa: PLC0415

    tenant_commands.run(
        settings, lambda services: tenant_commands.create_tenant(services, name, locale, cell)
    )


@tenant.command("export", help=backup_texts.HELP_EXPORT())
def export_tenant(
    file: TenantFile,
    tenant: Annotated[UUID, typer.Option(help=texts.HELP_TENANT_ID())],
    passphrase_file: PassphraseFile = None,
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    passphrase = _passphrase(passphrase_file, confirm=True)
    from saegim.cli.operators import (  # noqa: PLC0415
        tenant_commands,
        tenant_files,
    )

    tenant_commands.run(
        settings, lambda services: tenant_files.export(services, tenant, file, passphrase)
    )


@tenant.command("import", help=backup_texts.HELP_IMPORT())
def import_tenant(
    file: TenantFile,
    cell: Annotated[str, typer.Option(help=cell_texts.HELP_OF_TENANT())] = "main",
    new_id: Annotated[bool, typer.Option("--new-id", help=backup_texts.HELP_NEW_ID())] = False,
    passphrase_file: PassphraseFile = None,
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    passphrase = _passphrase(passphrase_file, confirm=False)
    from saegim.cli.operators import (  # noqa: PLC0415
        tenant_commands,
        tenant_files,
    )

    async def work(services: "Services") -> None:
        await tenant_files.bring_in(services, file, passphrase, cell, new_id=new_id)

    tenant_commands.run(settings, work)


def _passphrase(file: Path | None, *, confirm: bool) -> str:
    """From a file, the environment or the terminal; never from the command line, which others on
    the machine can see."""
    if file is not None:
        return file.read_text("utf-8").strip()
    known = os.environ.get("SAEGIM_PASSPHRASE")
    if known is not None:
        return known
    asked = typer.prompt(
        backup_texts.ASK_PASSPHRASE(), hide_input=True, confirmation_prompt=confirm
    )
    return str(asked)


tenant.command("move", help=cell_texts.HELP_MOVE())(cells.move)


@key.command("create", help=texts.HELP_KEY_CREATE())
def create_key(
    tenant: Annotated[UUID, typer.Option(help=texts.HELP_TENANT_ID())],
    user: Annotated[str | None, typer.Option(help=texts.HELP_KEY_USER())] = None,
    assistant: Annotated[UUID | None, typer.Option(help=texts.HELP_ASSISTANT_ID())] = None,
    name: Annotated[str, typer.Option(help=texts.HELP_KEY_NAME())] = "cli",
    role: Annotated[Role | None, typer.Option(help=texts.HELP_KEY_ROLE())] = None,
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    from saegim.cli.operators import tenant_commands  # noqa: PLC0415

    new = tenant_commands.NewKey(tenant, assistant, name, user, role)
    tenant_commands.run(settings, lambda services: tenant_commands.create_key(services, new))
