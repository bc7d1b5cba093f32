"""The work of `saegim backup` and `saegim restore`."""

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from saegim.app.container import Services
from saegim.app.from_settings import MissingSetting
from saegim.cli.console import say, warn
from saegim.cli.environment import DataFolder, fail_invalid
from saegim.cli.json_output import report
from saegim.domain.errors import NameTaken
from saegim.governance.backup.backups import check
from saegim.governance.backup.bucket import BackupBucket
from saegim.jobs.queue import clean_up_job
from saegim.jobs.types import Job, JobKind
from saegim.library.jobs import index_lock

BUCKETS = "s3://"
# Sorts by time.
NAMED = "saegim-%Y%m%dT%H%M%SZ.backup"


async def back_up(
    services: Services, file: str, *, with_keyring: bool = False, force: bool = False
) -> None:
    """Write a backup. A name that ends in `/` is a folder for scheduled backups: each is named by
    its time and verified, and expired ones are removed."""
    now = services.clock.now()
    scheduled = file.endswith("/")
    name = f"{file}{now.astimezone(UTC).strftime(NAMED)}" if scheduled else file
    key = name.removeprefix(BUCKETS) if name.startswith(BUCKETS) else None
    with TemporaryDirectory(prefix="saegim-backup-") as folder:
        path = _local(name, folder)
        if key is not None and not force and await _bucket(services).exists(key):
            raise NameTaken(f"{name} exists")
        rows = await services.backups().back_up(path, now, with_keyring=with_keyring, force=force)
        if key is not None:
            await _bucket(services).put(key, path)
    report({"file": name, "rows": rows, "keyring": with_keyring})
    say("Wrote {rows} rows to {file}.", rows=sum(rows.values()), file=name)
    _warn_about_keys(services, with_keyring=with_keyring)
    if scheduled:
        await check_backup(services, name)
        # Buckets expire objects by a lifecycle rule of their own.
        if key is None:
            _remove_old(Path(file), now - timedelta(days=services.settings.backup_days))


async def check_backup(services: Services, file: str) -> None:
    """Verify a backup by reading all of it."""
    with TemporaryDirectory(prefix="saegim-backup-") as folder:
        path = await _fetch(services, file, folder)
        backup = await check(path, services.encryption.keyring.master)
    report({"file": file, **asdict(backup)})
    say(
        "{file} is intact: {rows} rows from {at}, schema {revision}.",
        file=file,
        rows=sum(backup.rows.values()),
        at=backup.made_at,
        revision=backup.revision,
    )
    if backup.keyring:
        say("The backup includes the keyring.")
    else:
        say("The backup does not include the keyring. A restore needs the keyring database.")


async def restore(services: Services, file: str) -> Sequence[UUID]:
    """Restore a backup, queue the rebuild of the search indexes and return the tenants."""
    with TemporaryDirectory(prefix="saegim-backup-") as folder:
        restored = await services.backups().restore(await _fetch(services, file, folder))
    await queue_rebuilding(services, restored.tenants)
    report({"rows": restored.rows, "erased": restored.erased})
    say(
        "Restored {rows} rows and erased {erased} users again. The search indexes "
        "are being rebuilt.",
        rows=sum(restored.rows.values()),
        erased=restored.erased,
    )
    await warn_of_early_ends(services, restored.tenants)
    return restored.tenants


async def queue_rebuilding(services: Services, tenants: Iterable[UUID]) -> None:
    """Queue the rebuild of the search indexes of restored or imported tenants."""
    for tenant in tenants:
        cell = await services.db.cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            rebuild = Job(JobKind.REBUILD_INDEX, tenant, tenant, lock=index_lock(tenant))
            await services.jobs.queue.defer(connection, rebuild)
            await services.jobs.queue.defer_once(connection, clean_up_job(tenant))


async def warn_of_early_ends(services: Services, tenants: Iterable[UUID]) -> None:
    """Warn about audit trails that end before the head recorded in the keyring."""
    for tenant in tenants:
        if await services.audit.trail.ends_early(tenant):
            warn(
                "The audit trail of tenant {tenant} ends earlier than the keyring records. "
                "If the backup is older than that, run `saegim audit accept --tenant "
                "{tenant}`. Until then, `saegim audit verify` reports a truncated trail.",
                tenant=tenant,
            )


def _warn_about_keys(services: Services, *, with_keyring: bool) -> None:
    """Print which keys a restore needs that are not in the file."""
    folder = DataFolder(services.settings.data)
    if folder.running.exists():
        master = str(folder.master_key)
    else:
        master = "SAEGIM_KMS_URL" if services.settings.kms_url else "SAEGIM_MASTER_KEY"
    if with_keyring:
        warn(
            "A restore also needs the master key ({master}), which is not in this "
            "file. Store it separately.",
            master=master,
        )
    else:
        warn(
            "A restore also needs the master key ({master}) and the keyring database. "
            "This file contains neither. Back them up separately, or use "
            "--with-keyring to include the keyring.",
            master=master,
        )


def _remove_old(folder: Path, before: datetime) -> None:
    for path in folder.glob("saegim-*.backup"):
        with contextlib.suppress(ValueError):  # not a file of ours
            if datetime.strptime(path.name, NAMED).replace(tzinfo=UTC) < before:
                path.unlink()


def _local(file: str, folder: str) -> Path:
    return Path(folder) / "backup" if file.startswith(BUCKETS) else Path(file)


async def _fetch(services: Services, file: str, folder: str) -> Path:
    path = _local(file, folder)
    if file.startswith(BUCKETS):
        await _bucket(services).get(file.removeprefix(BUCKETS), path)
    return path


def _bucket(services: Services) -> BackupBucket:
    try:
        return services.backup_bucket()
    except MissingSetting as missing:
        fail_invalid(missing)
