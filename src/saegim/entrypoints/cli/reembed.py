"""`saegim reembed`: moves tenants to another embedder while search goes on."""

from typing import Annotated
from uuid import UUID

import typer

from saegim.entrypoints.cli import environment, reembed_texts
from saegim.entrypoints.cli.line import Data


def reembed(
    to: Annotated[str, typer.Option(help=reembed_texts.HELP_TO())],
    tenant: Annotated[UUID | None, typer.Option(help=reembed_texts.HELP_TENANT())] = None,
    no_wait: Annotated[bool, typer.Option("--no-wait", help=reembed_texts.HELP_NO_WAIT())] = False,
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.entrypoints.cli import operators, reembed_run  # noqa: PLC0415

    operators.run(
        settings, lambda services: reembed_run.reembed(services, to, tenant, wait=not no_wait)
    )
