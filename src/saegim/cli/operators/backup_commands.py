"""The work of `saegim backup` and `saegim restore`, through the services themselves."""

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from saegim.app.container import Services
from saegim.app.from_settings import MissingSetting
from saegim.cli.console import err, fail, out
from saegim.cli.environment import DataFolder
from saegim.cli.json_output import report
from saegim.cli.language import _
from saegim.domain.errors import Conflict
from saegim.governance.backup.backups import check
from saegim.governance.backup.bucket import BackupBucket
from saegim.jobs.queue import clean_up_job
from saegim.jobs.types import Job, JobKind
from saegim.library.jobs import index_lock

BUCKETS = "s3://"
# Names that sort by their moment, and that nothing else in a folder has.
NAMED = "saegim-%Y%m%dT%H%M%SZ.backup"


@dataclass(frozen=True, slots=True)
class BackupOptions:
    with_keyring: bool = False
    force: bool = False


async def back_up(services: Services, file: str, options: BackupOptions | None = None) -> None:
    """Writes everything to a file. A name that ends in `/` is a folder for one backup after the
    other: each is named by its moment and read back, and expired ones are removed."""
    options = options or BackupOptions()
    now = services.clock.now()
    series = file.endswith("/")
    named = f"{file}{now.astimezone(UTC).strftime(NAMED)}" if series else file
    with TemporaryDirectory(prefix="saegim-backup-") as folder:
        place = _local(named, folder)
        await _refuse_to_overwrite(services, named, options)
        made = await services.backups().back_up(
            place, now, with_keyring=options.with_keyring, force=options.force
        )
        if named.startswith(BUCKETS):
            await _bucket(services).put(named.removeprefix(BUCKETS), place)
    report({"file": named, "rows": made.rows, "keyring": options.with_keyring})
    out.print(
        _("Wrote {rows} rows to {file}.", rows=sum(made.rows.values()), file=named), soft_wrap=True
    )
    err.print(_what_a_restore_needs(services, options), style="yellow", soft_wrap=True)
    if series:
        await check_backup(services, named)
        if not named.startswith(BUCKETS):
            _remove_old(Path(file), now - timedelta(days=services.settings.backup_days))


async def check_backup(services: Services, file: str) -> None:
    """Reads a backup to its end; ends the command where it is not what was written."""
    with TemporaryDirectory(prefix="saegim-backup-") as folder:
        found = await check(
            await _fetched(services, file, folder), services.encryption.keyring.master
        )
    whole = {"rows": found.rows, "made_at": found.made_at, "revision": found.revision}
    report({"file": file, **whole, "keyring": found.keyring})
    rows = sum(found.rows.values())
    shown = _(
        "{file} is intact: {rows} rows from {at}, schema {revision}.",
        file=file,
        rows=rows,
        at=found.made_at,
        revision=found.revision,
    )
    out.print(shown, soft_wrap=True)
    out.print(
        _("The backup includes the keyring.")
        if found.keyring
        else _("The backup does not include the keyring. A restore needs the keyring database."),
        soft_wrap=True,
    )


async def restore(services: Services, file: str) -> Sequence[UUID]:
    """Brings everything back, and queues what is made anew from it. Returns the tenants."""
    with TemporaryDirectory(prefix="saegim-backup-") as folder:
        found = await services.backups().restore(await _fetched(services, file, folder))
    await queue_rebuilding(services, found.tenants)
    report({"rows": found.rows, "erased": found.erased})
    out.print(
        _(
            "Restored {rows} rows and erased {erased} users again. The search indexes "
            "are being rebuilt.",
            rows=sum(found.rows.values()),
            erased=found.erased,
        )
    )
    await warn_of_early_ends(services, found.tenants)
    return found.tenants


async def queue_rebuilding(services: Services, tenants: Iterable[UUID]) -> None:
    """Has workers rebuild the search index of tenants whose rows came in from a file."""
    for tenant in tenants:
        cell = await services.db.cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            rebuild = Job(JobKind.REBUILD_INDEX, tenant, tenant, lock=index_lock(tenant))
            await services.jobs.queue.defer(connection, rebuild)
            await services.jobs.queue.defer_once(connection, clean_up_job(tenant))


async def warn_of_early_ends(services: Services, tenants: Iterable[UUID]) -> None:
    """Says which audit trails are older than the keyring knows, and what to do about it."""
    for tenant in tenants:
        if await services.audit.trail.ends_early(tenant):
            err.print(
                _(
                    "The audit trail of tenant {tenant} ends earlier than the keyring records. "
                    "If the backup is older than that, run `saegim audit accept --tenant "
                    "{tenant}`. Until then, `saegim audit verify` reports a truncated trail.",
                    tenant=tenant,
                ),
                style="yellow",
                soft_wrap=True,
            )


async def _refuse_to_overwrite(services: Services, named: str, options: BackupOptions) -> None:
    if options.force or not named.startswith(BUCKETS):
        return
    if await _bucket(services).exists(named.removeprefix(BUCKETS)):
        raise Conflict(f"{named} exists")


def _what_a_restore_needs(services: Services, options: BackupOptions) -> str:
    """The keys that are not in the file, and where they are."""
    folder = DataFolder(services.settings.data)
    if folder.running.exists():
        master = str(folder.master_key)
    elif services.settings.kms_url is not None:
        master = "SAEGIM_KMS_URL"
    else:
        master = "SAEGIM_MASTER_KEY"
    needs = (
        _(
            "A restore also needs the master key ({master}), which is not in this "
            "file. Store it separately."
        )
        if options.with_keyring
        else _(
            "A restore also needs the master key ({master}) and the keyring database. "
            "This file contains neither. Back them up separately, or use "
            "--with-keyring to include the keyring."
        )
    )
    return needs.format(master=master)


def _remove_old(folder: Path, before: datetime) -> None:
    """In a bucket that is its own rule's to do."""
    for path in folder.glob("saegim-*.backup"):
        with contextlib.suppress(ValueError):  # somebody else's file
            if datetime.strptime(path.name, NAMED).replace(tzinfo=UTC) < before:
                path.unlink()


def _local(file: str, folder: str) -> Path:
    return Path(folder) / "backup" if file.startswith(BUCKETS) else Path(file)


async def _fetched(services: Services, file: str, folder: str) -> Path:
    place = _local(file, folder)
    if file.startswith(BUCKETS):
        await _bucket(services).get(file.removeprefix(BUCKETS), place)
    return place


def _bucket(services: Services) -> BackupBucket:
    try:
        return services.backup_bucket()
    except MissingSetting as missing:
        fail(_("Invalid setting: {found}", found=missing))
