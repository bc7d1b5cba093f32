"""The work of operators' commands about keys and audit, through the services themselves."""

from typing import Literal
from uuid import UUID

from saegim.app.container import Services
from saegim.cli.console import fail, out
from saegim.cli.json_output import report
from saegim.cli.language import _
from saegim.encryption.types import NOBODY

AT_ONCE = 200


async def rotate(
    services: Services, what: Literal["data", "tenant", "master"], tenant: UUID | None
) -> None:
    if what == "master":
        wrapped = await services.encryption.rotation.rewrap_tenants()
        report({"tenants": wrapped})
        out.print(
            _(
                "The new master key wraps {count} tenant keys. You can delete the old "
                "master key now.",
                count=wrapped,
            )
        )
        return
    assert tenant is not None, "the command asks for it"
    if what == "tenant":
        count = await services.encryption.rotation.rewrap_users(tenant)
        if not count:
            await services.encryption.rotation.begin(tenant, NOBODY)
        report({"users": count, "settle_seconds": services.encryption.rotation.settle_seconds})
        out.print(
            _(
                "Wrapped {count} user keys. The new tenant key takes effect in "
                "{seconds:.0f} s.\n"
                "Run this command again after that.",
                seconds=services.encryption.rotation.settle_seconds,
                count=count,
            )
        )
        return
    count, after = 0, NOBODY
    while owners := await services.encryption.keyring.store.owners(tenant, after, AT_ONCE):
        for owner in owners:
            await services.governance.reencryption.begin(tenant, owner)
        count, after = count + len(owners), owners[-1]
    report({"users": count})
    out.print(
        _(
            "Rotating the data keys of {count} users. Workers re-encrypt the data in "
            "the background.",
            count=count,
        )
    )


async def prune_keys(services: Services) -> None:
    """Deletes the keys of tenants that are in no cell. A tenant with a user's key is never one."""
    keyring, count, after = services.encryption.keyring.store, 0, NOBODY
    while unused := await keyring.unused_tenants(after, AT_ONCE):
        for tenant in unused:
            if not await services.auth.repository.tenant_exists(tenant):
                count += await keyring.drop_unused_tenant(tenant)
                services.encryption.keyring.forget(tenant, NOBODY)
        after = unused[-1]
    report({"keys": count})
    out.print(_("Deleted {count} keys of deleted tenants.", count=count))


async def verify(services: Services, tenant: UUID) -> None:
    found = await services.audit.trail.verify(tenant)
    if found.broken:
        fail(_("The audit trail was tampered with: {what}", what="; ".join(found.broken)))
    report(found)
    shown = _(
        "The audit trail is intact: {batches} batches, {events} events, {unsealed} "
        "unsealed\n"
        "head {head}",
        batches=found.batches,
        events=found.events,
        unsealed=found.unsealed,
        head=found.head,
    )
    out.print(shown, soft_wrap=True)


async def accept_head(services: Services, tenant: UUID) -> None:
    """Records the present end of a trail, after an older backup was restored."""
    found = await services.audit.trail.accept_head(tenant)
    if found is None:
        fail(_("The audit trail has no sealed entries yet."))
    report({"batch": found.number, "head": found.digest.hex()})
    out.print(
        _(
            "Recorded batch {number} as the end of the audit trail.\nhead {head}",
            number=found.number,
            head=found.digest.hex(),
        ),
        soft_wrap=True,
    )
