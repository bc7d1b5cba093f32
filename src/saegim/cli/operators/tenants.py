"""What operators do with tenants and keys."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from saegim.cli import environment
from saegim.cli.language import _
from saegim.cli.operators import cells
from saegim.domain.scope import Locale, Role

if TYPE_CHECKING:
    from saegim.app.container import Services

tenant = typer.Typer(no_args_is_help=True)
key = typer.Typer(no_args_is_help=True)

Data = Annotated[
    Path | None,
    typer.Option(
        help=_("Data folder of the running `saegim dev`. Default: .saegim (SAEGIM_DATA).")
    ),
]
TenantFile = Annotated[Path, typer.Argument(help=_("Tenant export file."), dir_okay=False)]
PassphraseFile = Annotated[
    Path | None,
    typer.Option(
        help=_("File with the passphrase. Default: SAEGIM_PASSPHRASE, or a prompt."),
        exists=True,
        dir_okay=False,
    ),
]


@tenant.command("create", help=_("Create a tenant with an assistant, a collection and an API key."))
def create_tenant(
    name: Annotated[str, typer.Argument(help=_("Tenant name."))],
    locale: Annotated[Locale, typer.Option(help=_("Language of the assistant."))] = "ko",
    cell: Annotated[str, typer.Option(help=_("Cell to create the tenant in."))] = "main",
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.cli.operators import tenant_commands  # noqa: PLC0415

    tenant_commands.run(
        settings, lambda services: tenant_commands.create_tenant(services, name, locale, cell)
    )


@tenant.command(
    "export", help=_("Export all data of a tenant to a file encrypted with a passphrase.")
)
def export_tenant(
    file: TenantFile,
    tenant: Annotated[UUID, typer.Option(help=_("Tenant ID."))],
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


@tenant.command(
    "import",
    help=_("Import a tenant exported from another installation. Its search index is rebuilt."),
)
def import_tenant(
    file: TenantFile,
    cell: Annotated[str, typer.Option(help=_("Cell to create the tenant in."))] = "main",
    new_id: Annotated[
        bool,
        typer.Option(
            "--new-id",
            help=_(
                "Import under a new tenant ID. The old API keys stop working and a new one "
                "is created."
            ),
        ),
    ] = False,
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
    asked = typer.prompt(_("Passphrase"), hide_input=True, confirmation_prompt=confirm)
    return str(asked)


tenant.command(
    "move",
    help=_("Move a tenant to another cell. If interrupted, run the command again to continue."),
)(cells.move)


@key.command("create", help=_("Create an API key for a tenant. The key is shown only once."))
def create_key(
    tenant: Annotated[UUID, typer.Option(help=_("Tenant ID."))],
    user: Annotated[
        str | None,
        typer.Option(
            help=_("Bind the key to this user. Default: the key can act as any user of the tenant.")
        ),
    ] = None,
    assistant: Annotated[
        UUID | None,
        typer.Option(help=_("Assistant ID. Required only if the tenant has more than one.")),
    ] = None,
    name: Annotated[str, typer.Option(help=_("Key name."))] = "cli",
    role: Annotated[
        Role | None,
        typer.Option(
            help=_(
                "Role of the key. Default: member for a key bound to a user, otherwise "
                "admin. Use this option to create a tenant's first owner and auditor."
            )
        ),
    ] = None,
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    from saegim.cli.operators import tenant_commands  # noqa: PLC0415

    new = tenant_commands.KeyRequest(tenant, assistant, name, user, role)
    tenant_commands.run(settings, lambda services: tenant_commands.create_key(services, new))
