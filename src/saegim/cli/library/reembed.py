"""`saegim reembed`: moves tenants to another embedder while search goes on."""

from typing import Annotated
from uuid import UUID

import typer

from saegim.cli import environment
from saegim.cli.client_target import Data
from saegim.cli.texts import reembed_texts


def reembed(
    to: Annotated[str, typer.Option(help=reembed_texts.HELP_TO())],
    tenant: Annotated[UUID | None, typer.Option(help=reembed_texts.HELP_TENANT())] = None,
    no_wait: Annotated[bool, typer.Option("--no-wait", help=reembed_texts.HELP_NO_WAIT())] = False,
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.cli.library import reembed_run  # noqa: PLC0415
    from saegim.cli.operators import tenant_commands  # noqa: PLC0415

    tenant_commands.run(
        settings, lambda services: reembed_run.reembed(services, to, tenant, wait=not no_wait)
    )
