"""The work of `saegim tenant export` and `saegim tenant import`."""

from pathlib import Path
from uuid import UUID

from saegim.app.container import Services
from saegim.cli.console import say, warn
from saegim.cli.json_output import report
from saegim.cli.operators.backup_commands import queue_rebuilding, warn_of_early_ends
from saegim.encryption.sealed_file import PassphraseLock
from saegim.governance.backup.tenant_file import Destination


async def export(services: Services, tenant: UUID, file: Path, passphrase: str) -> None:
    lock = PassphraseLock(passphrase)
    rows = await services.tenant_files().export(tenant, file, lock, _progress)
    report({"tenant": tenant, "file": str(file), "rows": rows})
    say(
        "Exported {rows} rows of tenant {tenant} to {file}. Store the passphrase separately.",
        tenant=tenant,
        rows=sum(rows.values()),
        file=file,
    )


async def bring_in(
    services: Services, file: Path, passphrase: str, cell: str, *, new_id: bool
) -> UUID:
    """Import a tenant, queue the rebuild of its search index and return its new ID."""
    to = Destination(services.db.cells.named(cell).name, new_id, services.llm.embedders.names)
    lock = PassphraseLock(passphrase)
    imported = await services.tenant_files().bring_in(file, lock, to, _progress)
    await queue_rebuilding(services, [imported.tenant])
    key = None
    if new_id:
        # Keys name their tenant, so those of the old ID do not work.
        [assistant, *_others] = await services.auth.tenants.assistants(imported.tenant)
        key = await services.auth.tenants.create_key(imported.tenant, assistant, name="imported")
    report(
        {"tenant": imported.tenant, "rows": imported.rows, "erased": imported.erased, "key": key}
    )
    say(
        "Imported {rows} rows of tenant {tenant}. {erased} erased users stay "
        "erased. The search index is being rebuilt.",
        tenant=imported.tenant,
        rows=sum(imported.rows.values()),
        erased=imported.erased,
    )
    await warn_of_early_ends(services, [imported.tenant])
    if key is not None:
        say("New API key: {key}", key=key)
        warn("The key is shown only once. Store it in a safe place.")
    return imported.tenant


def _progress(table: str, rows: int) -> None:
    if rows:
        warn("{table}: {rows} rows", style="dim", table=table, rows=rows)
