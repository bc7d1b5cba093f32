"""`saegim dev`: everything on one machine, with one command."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from saegim.cli import environment
from saegim.cli.console import fail
from saegim.cli.server import listener
from saegim.cli.texts import backup_texts, common as texts


def dev(
    data: Annotated[Path | None, typer.Option(help=texts.HELP_DEV_DATA())] = None,
    port: Annotated[int | None, typer.Option(help=texts.HELP_PORT())] = None,
    host: Annotated[str | None, typer.Option(help=texts.HELP_DEV_HOST())] = None,
    restore: Annotated[
        Path | None, typer.Option(help=backup_texts.HELP_DEV_RESTORE(), exists=True, dir_okay=False)
    ] = None,
) -> None:
    settings = environment.load(data=data, port=port, host=host)
    if not listener.is_loopback(settings.host):
        fail(texts.NOT_LOOPBACK(host=settings.host))
    if sys.platform == "win32":
        fail(texts.NOT_ON_WINDOWS())
    taken = listener.bind(settings.host, settings.port)
    # It needs a POSIX system; the other commands do not.
    from saegim.cli.dev.run import run  # noqa: PLC0415

    run(settings, taken, restore)
