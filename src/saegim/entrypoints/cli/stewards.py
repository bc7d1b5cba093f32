"""The work of operators' commands about keys and data, through the services themselves."""

import contextlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal
from uuid import UUID

from saegim.adapters.backup_bucket import BackupBucket
from saegim.adapters.keyring.keyring import NOBODY
from saegim.adapters.postgres.backup import check
from saegim.bootstrap import MissingSetting, Services
from saegim.domain.jobs import Job, JobKind
from saegim.entrypoints.cli import access_texts as say
from saegim.entrypoints.cli import texts
from saegim.entrypoints.cli.console import fail, out
from saegim.entrypoints.cli.reports import report
from saegim.governance.retention import clean_up_job
from saegim.library.indexing import index_lock

AT_ONCE = 200


BUCKETS = "s3://"
# Names that sort by their moment, and that nothing else in a folder has.
NAMED = "saegim-%Y%m%dT%H%M%SZ.zip"


async def back_up(services: Services, file: str) -> None:
    """Writes everything to a file. What ends in `/` is a place for one backup after the other: it
    is named by its moment and read back, and those older than backups are kept go."""
    now = services.clock.now()
    series = file.endswith("/")
    named = f"{file}{now.astimezone(UTC).strftime(NAMED)}" if series else file
    with TemporaryDirectory(prefix="saegim-backup-") as folder:
        place = _local(named, folder)
        made = await services.backups().back_up(place, now)
        if named.startswith(BUCKETS):
            await _bucket(services).put(named.removeprefix(BUCKETS), place)
    report({"file": named, "rows": made.rows})
    out.print(say.BACKED_UP(rows=sum(made.rows.values()), file=named))
    if series:
        await check_backup(services, named)
        if not named.startswith(BUCKETS):
            _remove_old(Path(file), now - timedelta(days=services.settings.backup_days))


def _remove_old(folder: Path, before: datetime) -> None:
    """In a bucket that is its own rule's to do."""
    for path in folder.glob("saegim-*.zip"):
        with contextlib.suppress(ValueError):  # somebody else's file
            if datetime.strptime(path.name, NAMED).replace(tzinfo=UTC) < before:
                path.unlink()


async def check_backup(services: Services, file: str) -> None:
    """Reads a backup to its end; ends the command where it is not what it says."""
    with TemporaryDirectory(prefix="saegim-backup-") as folder:
        found = check(await _fetched(services, file, folder))
    whole = {"rows": found.rows, "made_at": found.made_at, "revision": found.revision}
    report({"file": file, **whole})
    rows = sum(found.rows.values())
    shown = say.BACKUP_WHOLE(file=file, rows=rows, at=found.made_at, revision=found.revision)
    out.print(shown, soft_wrap=True)


async def restore(services: Services, file: str) -> None:
    """Brings everything back, and queues what is made anew from it."""
    with TemporaryDirectory(prefix="saegim-backup-") as folder:
        found = await services.backups().restore(await _fetched(services, file, folder))
    for tenant in found.tenants:
        cell = await services.cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            rebuild = Job(JobKind.REBUILD_INDEX, tenant, tenant, lock=index_lock(tenant))
            await services.queue.defer(connection, rebuild)
            await services.queue.defer_once(connection, clean_up_job(tenant))
    report({"rows": found.rows, "erased": found.erased})
    out.print(say.RESTORED(rows=sum(found.rows.values()), erased=found.erased))


def _local(file: str, folder: str) -> Path:
    return Path(folder) / "backup.zip" if file.startswith(BUCKETS) else Path(file)


async def _fetched(services: Services, file: str, folder: str) -> Path:
    place = _local(file, folder)
    if file.startswith(BUCKETS):
        await _bucket(services).get(file.removeprefix(BUCKETS), place)
    return place


def _bucket(services: Services) -> BackupBucket:
    try:
        return services.backup_bucket()
    except MissingSetting as missing:
        fail(texts.WRONG_SETTING(found=missing))


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


async def prune_keys(services: Services) -> None:
    """Deletes the keys of tenants that are in no cell. A tenant with a user's key is never one."""
    keyring, count, after = services.keyring.store, 0, NOBODY
    while unused := await keyring.unused_tenants(after, AT_ONCE):
        for tenant in unused:
            if not await services.assistant_store.tenant_exists(tenant):
                count += await keyring.drop_unused_tenant(tenant)
                services.keyring.forget(tenant, NOBODY)
        after = unused[-1]
    report({"keys": count})
    out.print(say.PRUNED_KEYS(count=count))


async def verify(services: Services, tenant: UUID) -> None:
    found = await services.trail.verify(tenant)
    if found.broken:
        fail(say.BROKEN(what="; ".join(found.broken)))
    report(found)
    shown = say.WHOLE(
        batches=found.batches, events=found.events, unsealed=found.unsealed, head=found.head
    )
    out.print(shown, soft_wrap=True)


async def accept_head(services: Services, tenant: UUID) -> None:
    """Records the present end of a trail, after an older backup was restored."""
    found = await services.trail.accept_head(tenant)
    if found is None:
        fail(say.NO_TRAIL())
    report({"batch": found.number, "head": found.digest.hex()})
    out.print(say.ACCEPTED_HEAD(number=found.number, head=found.digest.hex()), soft_wrap=True)
