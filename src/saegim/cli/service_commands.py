"""Commands for operators, which use the services directly instead of the API."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Concatenate
from uuid import UUID

import typer

from saegim.app.settings import Settings
from saegim.cli import environment
from saegim.cli.console import fail
from saegim.cli.environment import Data, DataFolder
from saegim.cli.json_output import set_options
from saegim.cli.language import _
from saegim.domain.errors import SaegimError

if TYPE_CHECKING:
    from saegim.app.container import Services

type Work[**P] = Callable[Concatenate[Services, P], Awaitable[object]]

# `with_services` fills it in if it is omitted.
Tenant = Annotated[UUID, typer.Option(help=_("Tenant ID."))]
OptionalTenant = Annotated[
    UUID | None,
    typer.Option(help=_("Tenant ID. Default: the tenant of `saegim dev`, or the only one.")),
]
DATA = Parameter("data", Parameter.KEYWORD_ONLY, default=None, annotation=Data)


@dataclass(frozen=True, slots=True)
class CellTenant:
    """A tenant and its cell."""

    id: UUID
    name: str
    cell: str
    created_at: datetime


def run_work(settings: Settings, work: Work[[]]) -> None:
    """Run `work` on open services. On an error of ours, print it and exit."""
    # Seconds of imports, which the help of every command would wait for.
    from saegim.cli.server.preflight import build_or_fail  # noqa: PLC0415

    services = build_or_fail(settings)

    async def run() -> None:
        await services.open()
        try:
            await work(services)
        except SaegimError as error:
            fail(f"{_(error.text)} {error.detail}".strip())
        finally:
            await services.close()

    asyncio.run(run())


def with_services[**P](work: Work[P]) -> Callable[..., None]:
    """Return `work` with the option `--data` in place of its services. A `Tenant` may be omitted
    on the command line."""
    _services, *own = signature(work).parameters.values()
    defaulted = {each.name for each in own if each.annotation is Tenant}
    options = [
        each.replace(annotation=OptionalTenant, default=None) if each.name in defaulted else each
        for each in own
    ]

    def run(*, data: Path | None, **values: Any) -> None:
        async def run_on(services: "Services") -> None:
            for name in defaulted:
                values[name] = await tenant_or_default(services, values[name])
            await work(services, **values)  # pyright: ignore[reportCallIssue] - as its signature says

        run_work(environment.load_for(data), run_on)

    set_options(run, work, (*options, DATA))
    return run


async def tenant_or_default(services: "Services", named: UUID | None) -> UUID:
    """Return the named tenant, that of `saegim dev` or the only one; exit if there are several."""
    if named is not None:
        return named
    from saegim.auth.types import parse_key  # noqa: PLC0415

    key = environment.read_private(DataFolder(services.settings.data).demo_key)
    demo = parse_key(key) if key else None
    if demo is not None and await services.auth.tenants.assistants(demo.tenant):
        return demo.tenant
    tenants = await list_tenants(services)
    if not tenants:
        fail("There is no tenant yet. Create one with `saegim tenant create NAME`.")
    if len(tenants) > 1:
        lines = "\n".join(f"  {each.id}  {each.name}" for each in tenants)
        fail("Choose a tenant with --tenant:\n{tenants}", tenants=lines)
    return tenants[0].id


async def list_tenants(services: "Services") -> "Sequence[CellTenant]":
    """Return the tenants of every cell; exit without a login that sees them all."""
    from saegim.app.from_settings import MissingSetting, owners  # noqa: PLC0415
    from saegim.db import inspect  # noqa: PLC0415

    try:
        logins = owners(services.settings)
    except MissingSetting:
        logins = {}
    tenants: list[CellTenant] = []
    if not logins:
        fail("Set SAEGIM_POSTGRES_ADMIN_URL to see all tenants, or name one with --tenant.")
    for cell, login in logins.items():
        listed = await inspect.list_tenants(login) or ()
        tenants += [CellTenant(each.id, each.name, cell, each.created_at) for each in listed]
    return tenants


def service_command[**P](group: typer.Typer, name: str, text: str) -> Callable[[Work[P]], Work[P]]:
    """Register a command of a group that works on services; return the function unchanged."""

    def register(work: Work[P]) -> Work[P]:
        group.command(name, help=text)(with_services(work))
        return work

    return register
