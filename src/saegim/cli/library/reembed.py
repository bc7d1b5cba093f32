"""`saegim reembed`: moves tenants to another embedder while search goes on."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from saegim.cli.console import fail, out, say
from saegim.cli.language import _

if TYPE_CHECKING:
    from saegim.app.container import Services

POLL_SECONDS = 0.5


async def reembed(
    services: "Services",
    to: Annotated[
        str,
        typer.Option(
            help=_("Embedder name as model/dimensions, for example text-embedding-3-small/512.")
        ),
    ],
    tenant: Annotated[
        UUID | None,
        typer.Option(
            help=_("Tenant ID. Default: all tenants (requires SAEGIM_POSTGRES_ADMIN_URL).")
        ),
    ] = None,
    no_wait: Annotated[
        bool, typer.Option("--no-wait", help=_("Queue the work and return immediately."))
    ] = False,
) -> None:
    tenants = await _all_tenants(services) if tenant is None else [tenant]
    reembedding = services.governance.reembedding
    moving = [each for each in tenants if not (await reembedding.begin(each, to)).over]
    say("Queued {tenants} tenants to move to {embedder}.", tenants=len(moving), embedder=to)
    if moving and not no_wait:
        await _watch(services, moving)
        say("{tenants} tenants now use {embedder}.", tenants=len(moving), embedder=to)


async def _all_tenants(services: "Services") -> Sequence[UUID]:
    from saegim.db.inspect import all_tenants  # noqa: PLC0415

    admin = services.settings.postgres_admin_url
    tenants = None if admin is None else await all_tenants(admin.get_secret_value())
    if tenants is None:
        fail(
            "Moving all tenants requires a SAEGIM_POSTGRES_ADMIN_URL that can see them "
            "all. Otherwise use --tenant."
        )
    return tenants


async def _watch(services: "Services", tenants: Sequence[UUID]) -> None:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=out) as progress:
        bar = progress.add_task(_("embedding"), total=None)
        while True:
            moves = [await services.governance.reembedding.progress(each) for each in tenants]
            known = [move for move in moves if move is not None]
            progress.update(
                bar,
                total=max(sum(move.total for move in known), 1),
                completed=sum(move.embedded for move in known),
            )
            if all(move.over for move in known):
                return
            await asyncio.sleep(POLL_SECONDS)
