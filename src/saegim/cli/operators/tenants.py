"""`saegim tenant` and `saegim key create`, for operators."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from saegim.cli import environment
from saegim.cli.console import echo, fail, print_table, say, warn
from saegim.cli.environment import Data
from saegim.cli.json_output import report, report_list
from saegim.cli.language import _
from saegim.cli.operators import cells
from saegim.cli.service_commands import (
    OptionalTenant,
    Tenant,
    list_tenants,
    run_work,
    service_command,
    tenant_or_default,
)
from saegim.domain.scope import Locale, Role
from saegim.locales import N_

if TYPE_CHECKING:
    from saegim.app.container import Services

tenant = typer.Typer(no_args_is_help=True)
key = typer.Typer(no_args_is_help=True)

CellName = Annotated[str, typer.Option(help=_("Cell to create the tenant in."))]
TenantFile = Annotated[Path, typer.Argument(help=_("Tenant export file."), dir_okay=False)]
PassphraseFile = Annotated[
    Path | None,
    typer.Option(
        help=_("File with the passphrase. Default: SAEGIM_PASSPHRASE, or a prompt."),
        exists=True,
        dir_okay=False,
    ),
]


@service_command(
    tenant, "create", _("Create a tenant with an assistant, a collection and an API key.")
)
async def create_tenant(
    services: "Services",
    name: Annotated[str, typer.Argument(help=_("Tenant name."))],
    locale: Annotated[Locale, typer.Option(help=_("Language of the assistant."))] = "ko",
    cell: CellName = "main",
) -> None:
    created = await services.auth.tenants.create(name, locale, services.db.cells.named(cell).name)
    values: dict[str, Any] = {
        "tenant": created.tenant.id,
        "assistant": created.assistant.id,
        "key": created.key,
    }
    report(values)
    say("tenant     {tenant}\nassistant  {assistant}\nkey        {key}", **values)
    warn("The key is shown only once. Store it in a safe place.")
    warn(
        "It is for programs, which name the user of each request (Saegim-User). For a person who "
        "signs in: saegim key create --tenant {tenant} --user NAME --role owner",
        style="",
        tenant=created.tenant.id,
    )


@service_command(tenant, "list", _("List all tenants, with their cells."))
async def show_tenants(services: "Services") -> None:
    tenants = report_list(await list_tenants(services), N_("There are no tenants."))
    columns = (_("tenant"), _("created"), _("cell"), _("name"))
    print_table(columns, [(t.id, f"{t.created_at:%Y-%m-%d}", t.cell, t.name) for t in tenants])


@tenant.command(
    "export", help=_("Export all data of a tenant to a file encrypted with a passphrase.")
)
def export_tenant(
    file: TenantFile,
    tenant: OptionalTenant = None,
    passphrase_file: PassphraseFile = None,
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    passphrase = _passphrase(passphrase_file, confirm=True)
    from saegim.cli.operators import tenant_files  # noqa: PLC0415

    async def export(services: "Services") -> None:
        chosen = await tenant_or_default(services, tenant)
        await tenant_files.export(services, chosen, file, passphrase)

    run_work(settings, export)


@tenant.command(
    "import",
    help=_("Import a tenant exported from another installation. Its search index is rebuilt."),
)
def import_tenant(
    file: TenantFile,
    cell: CellName = "main",
    new_id: Annotated[
        bool,
        typer.Option(
            "--new-id",
            help=_(
                "Import under a new tenant ID. The old API keys stop working and a new one "
                "is created."
            ),
        ),
    ] = False,
    passphrase_file: PassphraseFile = None,
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    passphrase = _passphrase(passphrase_file, confirm=False)
    from saegim.cli.operators import tenant_files  # noqa: PLC0415

    run_work(
        settings,
        lambda services: tenant_files.bring_in(services, file, passphrase, cell, new_id=new_id),
    )


def _passphrase(file: Path | None, *, confirm: bool) -> str:
    """Return the passphrase from a file, the environment or a prompt. It is no option: other users
    of the machine can see the command line."""
    if file is not None:
        return file.read_text("utf-8").strip()
    known = os.environ.get("SAEGIM_PASSPHRASE")
    if known is not None:
        return known
    return str(typer.prompt(_("Passphrase"), hide_input=True, confirmation_prompt=confirm))


service_command(
    tenant,
    "move",
    _("Move a tenant to another cell. If interrupted, run the command again to continue."),
)(cells.move)


@service_command(key, "create", _("Create an API key for a tenant. The key is shown only once."))
async def create_key(
    services: "Services",
    tenant: Tenant,
    user: Annotated[
        str | None,
        typer.Option(
            help=_("Bind the key to this user. Default: the key can act as any user of the tenant.")
        ),
    ] = None,
    assistant: Annotated[
        UUID | None,
        typer.Option(help=_("Assistant ID. Required only if the tenant has more than one.")),
    ] = None,
    name: Annotated[str, typer.Option(help=_("Key name."))] = "cli",
    role: Annotated[
        Role | None,
        typer.Option(
            help=_(
                "Role of the key. Default: member for a key bound to a user, otherwise "
                "admin. Use this option to create a tenant's first owner and auditor."
            )
        ),
    ] = None,
) -> None:
    existing = await services.auth.tenants.assistants(tenant)
    chosen = choose_assistant(tenant, assistant, existing)
    created = await services.auth.tenants.create_key(tenant, chosen, name, user, role)
    report({"key": created})
    echo(created)
    warn("The key is shown only once. Store it in a safe place.")


def choose_assistant(tenant: UUID, named: UUID | None, existing: tuple[UUID, ...]) -> UUID:
    """Return the named assistant, or the only one; exit if there is no such assistant."""
    if not existing:
        fail("Tenant not found: {tenant}", tenant=tenant)
    if named is None and len(existing) > 1:
        fail(
            "The tenant has several assistants. Choose one with --assistant: {assistants}",
            assistants=", ".join(map(str, existing)),
        )
    chosen = next(iter(existing)) if named is None else named
    if chosen not in existing:
        fail("The tenant has no assistant {assistant}", assistant=chosen)
    return chosen
