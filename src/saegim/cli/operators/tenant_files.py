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
    made = await services.tenant_files().export(tenant, file, lock, _progress)
    report({"tenant": tenant, "file": str(file), "rows": made.rows})
    say(
        "Exported {rows} rows of tenant {tenant} to {file}. Store the passphrase separately.",
        tenant=tenant,
        rows=sum(made.rows.values()),
        file=file,
    )


async def bring_in(
    services: Services, file: Path, passphrase: str, cell: str, *, new_id: bool
) -> UUID:
    """Import a tenant, queue the rebuild of its search index and return its new ID."""
    to = Destination(services.db.cells.named(cell).name, new_id, services.llm.embedders.names)
    lock = PassphraseLock(passphrase)
    found = await services.tenant_files().bring_in(file, lock, to, _progress)
    await queue_rebuilding(services, [found.tenant])
    key = None
    if new_id:
        # Keys name their tenant, so those of the old ID do not work.
        [assistant, *_others] = await services.auth.tenants.assistants(found.tenant)
        key = await services.auth.tenants.create_key(found.tenant, assistant, name="imported")
    report({"tenant": found.tenant, "rows": found.rows, "erased": found.erased, "key": key})
    say(
        "Imported {rows} rows of tenant {tenant}. {erased} erased users stay "
        "erased. The search index is being rebuilt.",
        tenant=found.tenant,
        rows=sum(found.rows.values()),
        erased=found.erased,
    )
    await warn_of_early_ends(services, [found.tenant])
    if key is not None:
        say("New API key: {key}", key=key)
        warn("The key is shown only once. Store it in a safe place.")
    return found.tenant


def _progress(table: str, rows: int) -> None:
    if rows:
        warn("{table}: {rows} rows", style="dim", table=table, rows=rows)
