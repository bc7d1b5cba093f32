"""`saegim dev`: runs everything on one machine, for development."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from saegim.cli import environment
from saegim.cli.console import fail
from saegim.cli.demo.command import require_documents
from saegim.cli.language import _
from saegim.cli.server import listener

# Ollama and similar servers run on this machine or nearby.
PRIVATE_NETWORKS = (
    "127.0.0.0/8",
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "::1/128",
    "fc00::/7",
)


def dev(
    data: Annotated[
        Path | None, typer.Option(help=_("Data folder. Default: .saegim (SAEGIM_DATA)."))
    ] = None,
    port: Annotated[
        int | None, typer.Option(help=_("API port. Default: 8000 (SAEGIM_PORT)."))
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(help=_("API address, loopback only. Default: 127.0.0.1 (SAEGIM_HOST).")),
    ] = None,
    demo: Annotated[
        bool, typer.Option("--demo", help=_("Import the demo library, as `saegim demo` does."))
    ] = False,
    restore: Annotated[
        Path | None,
        typer.Option(
            help=_(
                "Restore a backup into an empty data folder before starting. Requires the "
                "master key of the original installation, as master.key in the folder or "
                "in SAEGIM_MASTER_KEY."
            ),
            exists=True,
            dir_okay=False,
        ),
    ] = None,
) -> None:
    settings = environment.load(data=data, port=port, host=host)
    if not listener.is_loopback(settings.host):
        fail(
            "`saegim dev` only listens on this machine: use 127.0.0.1 instead of "
            "{host}. To serve other machines, use `saegim serve`.",
            host=settings.host,
        )
    if demo:
        require_documents()
    # A second of imports, which the help of every command would wait for.
    from saegim.app.model_settings import models_config  # noqa: PLC0415

    try:
        models_config(settings)
    except ValueError as error:
        environment.fail_invalid(error)
    if settings.model_private_networks is None:
        settings.model_private_networks = list(PRIVATE_NETWORKS)
    if sys.platform == "win32":
        fail("`saegim dev` runs on Linux and macOS. On Windows, use WSL.")
    sock = listener.bind(settings.host, settings.port)
    # Needs a POSIX system, unlike the other commands.
    from saegim.cli.dev.run import RunOptions, run  # noqa: PLC0415

    run(settings, sock, RunOptions(restore, demo))
