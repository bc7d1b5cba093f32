"""`saegim serve`, `saegim worker` and `saegim migrate`."""

from pathlib import Path
from typing import Annotated

import typer

from saegim.app import gc_tuning
from saegim.cli import environment
from saegim.cli.console import say
from saegim.cli.language import _
from saegim.cli.server import listener


def serve(
    port: Annotated[
        int | None, typer.Option(help=_("API port. Default: 8000 (SAEGIM_PORT)."))
    ] = None,
    host: Annotated[
        str | None, typer.Option(help=_("API address. Default: 127.0.0.1 (SAEGIM_HOST)."))
    ] = None,
) -> None:
    settings = environment.load(port=port, host=host)
    # Seconds of imports, which the help of every command would wait for.
    with gc_tuning.paused():
        from saegim.cli.server import processes as production  # noqa: PLC0415

    production.serve(settings, listener.bind(settings.host, settings.port))


def worker(
    data: Annotated[
        Path | None,
        typer.Option(
            help=_(
                "Data folder of a running `saegim dev` to process jobs for. Default: the "
                "servers set in the environment."
            )
        ),
    ] = None,
    cell: Annotated[str, typer.Option(help=_("Cell this worker serves."))] = "main",
) -> None:
    settings = environment.load() if data is None else environment.load_for(data)
    with gc_tuning.paused():
        from saegim.cli.server import processes as production  # noqa: PLC0415

    production.work(settings, cell, fenced=data is None)


def migrate() -> None:
    settings = environment.load()
    from saegim.cli.server import processes as production  # noqa: PLC0415

    say("The schema is now at {revision}.", revision=production.migrate(settings))
