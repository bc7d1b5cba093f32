"""The work of `saegim reembed`: queue the moves, and watch them if asked to."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from saegim.app.container import Services
from saegim.cli.console import fail, out
from saegim.cli.language import _
from saegim.db.inspect import all_tenants

POLL_SECONDS = 0.5


async def reembed(services: Services, to: str, tenant: UUID | None, *, wait: bool) -> None:
    """Moves one tenant, or all of the cell, one after the other in the queue."""
    tenants = await _all(services) if tenant is None else [tenant]
    moving = [
        each for each in tenants if not (await services.governance.reembedding.begin(each, to)).over
    ]
    out.print(
        _("Queued {tenants} tenants to move to {embedder}.", tenants=len(moving), embedder=to)
    )
    if wait and moving:
        await _watch(services, moving)
        out.print(_("{tenants} tenants now use {embedder}.", tenants=len(moving), embedder=to))


async def _all(services: Services) -> Sequence[UUID]:
    admin = services.settings.postgres_admin_url
    tenants = None if admin is None else await all_tenants(admin.get_secret_value())
    if tenants is None:
        fail(
            _(
                "Moving all tenants requires a SAEGIM_POSTGRES_ADMIN_URL that can see them "
                "all. Otherwise use --tenant."
            )
        )
    return tenants


async def _watch(services: Services, tenants: Sequence[UUID]) -> None:
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
