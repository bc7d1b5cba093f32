"""`saegim backup|restore|keys|audit`: what operators do about keys and data."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal
from uuid import UUID

import typer

from saegim.cli import environment
from saegim.cli.console import fail
from saegim.cli.language import _

if TYPE_CHECKING:
    from saegim.app.container import Services

keys = typer.Typer(no_args_is_help=True)
audit = typer.Typer(no_args_is_help=True)

Data = Annotated[
    Path | None,
    typer.Option(
        help=_("Data folder of the running `saegim dev`. Default: .saegim (SAEGIM_DATA).")
    ),
]
BackupLocation = Annotated[
    str,
    typer.Argument(
        help=_(
            "Backup file or s3://bucket/key. If it ends with /, the name is the time "
            "of the backup and the file is verified."
        )
    ),
]
What = Literal["data", "tenant", "master"]


def backup(
    file: BackupLocation,
    check: Annotated[
        bool, typer.Option("--check", help=_("Verify an existing backup without writing anything."))
    ] = False,
    with_keyring: Annotated[
        bool,
        typer.Option(
            "--with-keyring",
            help=_(
                "Include the keyring, so that a restore needs only the master key. The "
                "backup then also keeps the keys of users who are erased later."
            ),
        ),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help=_("Overwrite an existing file."))] = False,
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


def restore(file: BackupLocation, data: Data = None) -> None:
    settings = environment.load_for(data)
    from saegim.cli.operators import (  # noqa: PLC0415
        backup_commands,
        tenant_commands,
    )

    async def work(services: "Services") -> None:
        await backup_commands.restore(services, file)

    tenant_commands.run(settings, work)


@keys.command(
    "rotate",
    help=_("Rotate data keys (one per user), tenant keys or the master key without downtime."),
)
def rotate(
    what: Annotated[What, typer.Argument(help=_("Keys to rotate: data, tenant or master."))],
    tenant: Annotated[UUID | None, typer.Option(help=_("Tenant ID."))] = None,
    data: Data = None,
) -> None:
    if what != "master" and tenant is None:
        fail(_("--tenant is required."))
    settings = environment.load_for(data)
    from saegim.cli.operators import (  # noqa: PLC0415
        key_commands,
        tenant_commands,
    )

    tenant_commands.run(settings, lambda services: key_commands.rotate(services, what, tenant))


@keys.command("prune", help=_("Delete the keys of deleted tenants from the keyring."))
def prune(data: Data = None) -> None:
    settings = environment.load_for(data)
    from saegim.cli.operators import (  # noqa: PLC0415
        key_commands,
        tenant_commands,
    )

    tenant_commands.run(settings, key_commands.prune_keys)


@audit.command("verify", help=_("Verify the hash chain of the audit trail."))
def verify(tenant: Annotated[UUID, typer.Option(help=_("Tenant ID."))], data: Data = None) -> None:
    settings = environment.load_for(data)
    from saegim.cli.operators import (  # noqa: PLC0415
        key_commands,
        tenant_commands,
    )

    tenant_commands.run(settings, lambda services: key_commands.verify(services, tenant))


@audit.command(
    "accept",
    help=_(
        "Record the current end of the audit trail in the keyring. Use after "
        "restoring an older backup."
    ),
)
def accept(tenant: Annotated[UUID, typer.Option(help=_("Tenant ID."))], data: Data = None) -> None:
    settings = environment.load_for(data)
    from saegim.cli.operators import (  # noqa: PLC0415
        key_commands,
        tenant_commands,
    )

    tenant_commands.run(settings, lambda services: key_commands.accept_head(services, tenant))
