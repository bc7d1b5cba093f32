"""The work of `saegim tenant export` and `import`, through the services themselves."""

from pathlib import Path
from uuid import UUID

from saegim.app.container import Services
from saegim.cli.console import err, out
from saegim.cli.json_output import report
from saegim.cli.language import _
from saegim.cli.operators.backup_commands import queue_rebuilding, warn_of_early_ends
from saegim.encryption.sealed_file import PassphraseLock
from saegim.governance.backup.tenant_file import Destination


async def export(services: Services, tenant: UUID, file: Path, passphrase: str) -> None:
    lock = PassphraseLock(passphrase)
    made = await services.tenant_files().export(tenant, file, lock, _progress)
    rows = sum(made.rows.values())
    report({"tenant": tenant, "file": str(file), "rows": made.rows})
    out.print(
        _(
            "Exported {rows} rows of tenant {tenant} to {file}. Store the passphrase separately.",
            tenant=tenant,
            rows=rows,
            file=file,
        ),
        soft_wrap=True,
    )


async def bring_in(
    services: Services, file: Path, passphrase: str, cell: str, *, new_id: bool
) -> UUID:
    """Imports a tenant and queues the rebuilding of its search index. Returns its id here."""
    to = Destination(services.db.cells.named(cell).name, new_id, services.llm.embedders.names)
    lock = PassphraseLock(passphrase)
    found = await services.tenant_files().bring_in(file, lock, to, _progress)
    await queue_rebuilding(services, [found.tenant])
    key = await _new_key(services, found.tenant) if new_id else None
    report({"tenant": found.tenant, "rows": found.rows, "erased": found.erased, "key": key})
    rows = sum(found.rows.values())
    shown = _(
        "Imported {rows} rows of tenant {tenant}. {erased} erased users stay "
        "erased. The search index is being rebuilt.",
        tenant=found.tenant,
        rows=rows,
        erased=found.erased,
    )
    out.print(shown, soft_wrap=True)
    await warn_of_early_ends(services, [found.tenant])
    if key is not None:
        out.print(_("New API key: {key}", key=key), soft_wrap=True)
        err.print(_("The key is shown only once. Store it in a safe place."), style="yellow")
    return found.tenant


async def _new_key(services: Services, tenant: UUID) -> str:
    """Keys name their tenant, so those of the old id do not work."""
    assistants = await services.auth.tenants.assistants(tenant)
    return await services.auth.tenants.create_key(tenant, assistants[0], name="imported")


def _progress(table: str, rows: int) -> None:
    if rows:
        err.print(_("{table}: {rows} rows", table=table, rows=rows), style="dim")
