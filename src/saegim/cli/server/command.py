"""What production runs: the API, workers, migrations."""

from pathlib import Path
from typing import Annotated

import typer

from saegim.cli import environment
from saegim.cli.console import out
from saegim.cli.server import listener
from saegim.cli.texts import cell_texts, common as texts


def serve(
    port: Annotated[int | None, typer.Option(help=texts.HELP_PORT())] = None,
    host: Annotated[str | None, typer.Option(help=texts.HELP_HOST())] = None,
) -> None:
    settings = environment.load(port=port, host=host)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.cli.server import processes as production  # noqa: PLC0415

    production.serve(settings, listener.bind(settings.host, settings.port))


def worker(
    data: Annotated[Path | None, typer.Option(help=texts.HELP_WORKER_DATA())] = None,
    cell: Annotated[str, typer.Option(help=cell_texts.HELP_OF_WORKER())] = "main",
) -> None:
    settings = environment.load() if data is None else environment.load_for(data)
    from saegim.cli.server import processes as production  # noqa: PLC0415

    production.work(settings, cell, fenced=data is None)


def migrate() -> None:
    settings = environment.load()
    from saegim.cli.server import processes as production  # noqa: PLC0415

    out.print(texts.MIGRATED(revision=production.migrate(settings)))
