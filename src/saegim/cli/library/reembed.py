"""`saegim reembed`: moves tenants to another embedder while search goes on."""

from typing import Annotated
from uuid import UUID

import typer

from saegim.cli import environment
from saegim.cli.client_target import Data
from saegim.cli.language import _


def reembed(
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
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.cli.library import reembed_run  # noqa: PLC0415
    from saegim.cli.operators import tenant_commands  # noqa: PLC0415

    tenant_commands.run(
        settings, lambda services: reembed_run.reembed(services, to, tenant, wait=not no_wait)
    )
