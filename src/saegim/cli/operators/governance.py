"""`saegim backup|restore|keys|audit`."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Literal
from uuid import UUID

import typer

from saegim.cli.console import fail, say
from saegim.cli.json_output import report
from saegim.cli.language import _
from saegim.cli.service_commands import Tenant, service_command

if TYPE_CHECKING:
    from saegim.app.container import Services

keys = typer.Typer(no_args_is_help=True)
audit = typer.Typer(no_args_is_help=True)

BackupLocation = Annotated[
    str,
    typer.Argument(
        help=_(
            "Backup file or s3://bucket/key. If it ends with /, the name is the time "
            "of the backup and the file is verified."
        )
    ),
]
BATCH = 200


async def backup(
    services: "Services",
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
) -> None:
    from saegim.cli.operators import backup_commands  # noqa: PLC0415

    if check:
        await backup_commands.check_backup(services, file)
    else:
        await backup_commands.back_up(services, file, with_keyring=with_keyring, force=force)


async def restore(services: "Services", file: BackupLocation) -> None:
    from saegim.cli.operators import backup_commands  # noqa: PLC0415

    await backup_commands.restore(services, file)


@service_command(
    keys,
    "rotate",
    _("Rotate data keys (one per user), tenant keys or the master key without downtime."),
)
async def rotate(
    services: "Services",
    what: Annotated[
        Literal["data", "tenant", "master"],
        typer.Argument(help=_("Keys to rotate: data, tenant or master.")),
    ],
    tenant: Annotated[UUID | None, typer.Option(help=_("Tenant ID."))] = None,
) -> None:
    if what == "master":
        await _rotate_master_key(services)
    elif tenant is None:
        fail("--tenant is required.")
    elif what == "tenant":
        await _rotate_tenant_key(services, tenant)
    else:
        await _rotate_data_keys(services, tenant)


async def _rotate_master_key(services: "Services") -> None:
    wrapped = await services.encryption.rotation.rewrap_tenants()
    report({"tenants": wrapped})
    say(
        "The new master key wraps {count} tenant keys. You can delete the old master key now.",
        count=wrapped,
    )


async def _rotate_tenant_key(services: "Services", tenant: UUID) -> None:
    from saegim.encryption.types import NOBODY  # noqa: PLC0415

    rotation = services.encryption.rotation
    count = await rotation.rewrap_users(tenant)
    if not count:
        await rotation.begin(tenant, NOBODY)
    report({"users": count, "settle_seconds": rotation.settle_seconds})
    say(
        "Wrapped {count} user keys. The new tenant key takes effect in "
        "{seconds:.0f} s.\n"
        "Run this command again after that.",
        seconds=rotation.settle_seconds,
        count=count,
    )


async def _rotate_data_keys(services: "Services", tenant: UUID) -> None:
    from saegim.encryption.types import NOBODY  # noqa: PLC0415

    count, after = 0, NOBODY
    while owners := await services.encryption.keyring.store.owners(tenant, after, BATCH):
        for owner in owners:
            await services.governance.reencryption.begin(tenant, owner)
        count, after = count + len(owners), owners[-1]
    report({"users": count})
    say(
        "Rotating the data keys of {count} users. Workers re-encrypt the data in the background.",
        count=count,
    )


@service_command(keys, "prune", _("Delete the keys of deleted tenants from the keyring."))
async def prune_keys(services: "Services") -> None:
    """Delete the keys of tenants that are in no cell. Tenants with keys of users stay."""
    from saegim.encryption.types import NOBODY  # noqa: PLC0415

    keyring, count, after = services.encryption.keyring.store, 0, NOBODY
    while unused := await keyring.unused_tenants(after, BATCH):
        for tenant in unused:
            if not await services.auth.repository.tenant_exists(tenant):
                count += await keyring.drop_unused_tenant(tenant)
                services.encryption.keyring.forget(tenant, NOBODY)
        after = unused[-1]
    report({"keys": count})
    say("Deleted {count} keys of deleted tenants.", count=count)


@service_command(audit, "verify", _("Verify the hash chain of the audit trail."))
async def verify(services: "Services", tenant: Tenant) -> None:
    trail = await services.audit.trail.verify(tenant)
    if trail.broken:
        fail("The audit trail was tampered with: {what}", what="; ".join(trail.broken))
    say(
        "The audit trail is intact: {batches} batches, {events} events, {unsealed} "
        "unsealed\n"
        "head {head}",
        **asdict(report(trail)),
    )


@service_command(
    audit,
    "accept",
    _(
        "Record the current end of the audit trail in the keyring. Use after "
        "restoring an older backup."
    ),
)
async def accept(services: "Services", tenant: Tenant) -> None:
    head = await services.audit.trail.accept_head(tenant)
    if head is None:
        fail("The audit trail has no sealed entries yet.")
    report({"batch": head.number, "head": head.digest.hex()})
    say(
        "Recorded batch {number} as the end of the audit trail.\nhead {head}",
        number=head.number,
        head=head.digest.hex(),
    )
