"""What production runs: the API, workers, migrations."""

from pathlib import Path
from typing import Annotated

import typer

from saegim.entrypoints.cli import cell_texts, environment, listening, texts
from saegim.entrypoints.cli.console import out


def serve(
    port: Annotated[int | None, typer.Option(help=texts.HELP_PORT())] = None,
    host: Annotated[str | None, typer.Option(help=texts.HELP_HOST())] = None,
) -> None:
    settings = environment.load(port=port, host=host)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.entrypoints.cli import production  # noqa: PLC0415

    production.serve(settings, listening.bind(settings.host, settings.port))


def worker(
    data: Annotated[Path | None, typer.Option(help=texts.HELP_WORKER_DATA())] = None,
    cell: Annotated[str, typer.Option(help=cell_texts.HELP_OF_WORKER())] = "main",
) -> None:
    settings = environment.load() if data is None else environment.load_for(data)
    from saegim.entrypoints.cli import production  # noqa: PLC0415

    production.work(settings, cell, fenced=data is None)


def migrate() -> None:
    settings = environment.load()
    from saegim.entrypoints.cli import production  # noqa: PLC0415

    out.print(texts.MIGRATED(revision=production.migrate(settings)))
