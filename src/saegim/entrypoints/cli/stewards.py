"""The work of operators' commands about keys and data, through the services themselves."""

from pathlib import Path
from typing import Literal
from uuid import UUID

from saegim.adapters.keyring.keyring import NOBODY
from saegim.bootstrap import Services
from saegim.domain.jobs import Job, JobKind
from saegim.entrypoints.cli import access_texts as say
from saegim.entrypoints.cli.console import fail, out
from saegim.entrypoints.cli.reports import report
from saegim.governance.retention import clean_up_job
from saegim.library.indexing import index_lock

AT_ONCE = 200


async def back_up(services: Services, file: Path) -> None:
    made = await services.backups().back_up(file, services.clock.now())
    report({"rows": made.rows})
    out.print(say.BACKED_UP(rows=sum(made.rows.values()), file=file))


async def restore(services: Services, file: Path) -> None:
    """Brings everything back, and queues what is made anew from it."""
    found = await services.backups().restore(file)
    for tenant in found.tenants:
        cell = await services.cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            rebuild = Job(JobKind.REBUILD_INDEX, tenant, tenant, lock=index_lock(tenant))
            await services.queue.defer(connection, rebuild)
            await services.queue.defer_once(connection, clean_up_job(tenant))
    report({"rows": found.rows, "erased": found.erased})
    out.print(say.RESTORED(rows=sum(found.rows.values()), erased=found.erased))


async def rotate(
    services: Services, what: Literal["data", "tenant", "master"], tenant: UUID | None
) -> None:
    if what == "master":
        wrapped = await services.rotation.rewrap_tenants()
        report({"tenants": wrapped})
        out.print(say.ROTATED_MASTER(count=wrapped))
        return
    assert tenant is not None, "the command asks for it"
    if what == "tenant":
        count = await services.rotation.rewrap_users(tenant)
        if not count:
            await services.rotation.begin(tenant, NOBODY)
        report({"users": count, "settle_seconds": services.rotation.settle_seconds})
        out.print(say.ROTATED_TENANT(seconds=services.rotation.settle_seconds, count=count))
        return
    count, after = 0, NOBODY
    while owners := await services.keyring.store.owners(tenant, after, AT_ONCE):
        for owner in owners:
            await services.resealing.begin(tenant, owner)
        count, after = count + len(owners), owners[-1]
    report({"users": count})
    out.print(say.ROTATED_DATA(count=count))


async def verify(services: Services, tenant: UUID) -> None:
    found = await services.trail.verify(tenant)
    if found.broken:
        fail(say.BROKEN(what="; ".join(found.broken)))
    report(found)
    shown = say.WHOLE(
        batches=found.batches, events=found.events, unsealed=found.unsealed, head=found.head
    )
    out.print(shown, soft_wrap=True)
