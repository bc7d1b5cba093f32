"""Starts the parts of `saegim dev` one on the other, and stops them the other way round."""

import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from saegim.app.process_protection import protect_process
from saegim.app.settings import Settings
from saegim.cli.console import fail, out, timed
from saegim.cli.dev.data import prepare
from saegim.cli.dev.servers import start_servers
from saegim.cli.dev.worker import WorkerProcess
from saegim.cli.environment import DataFolder, write_running
from saegim.cli.language import _
from saegim.cli.server import listener
from saegim.domain.errors import SaegimError

if TYPE_CHECKING:
    from saegim.app.container import Services

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True, slots=True)
class Start:
    """When it began, and the backup that it begins with."""

    began: float
    restore: Path | None


def run(settings: Settings, taken: socket.socket, restore: Path | None = None) -> None:
    """Runs until Ctrl-C or a signal; whatever happens, nothing of it is left running."""
    began = time.monotonic()
    folder = DataFolder(settings.data.resolve())
    if restore is not None and settings.master_key is None and not folder.master_key.exists():
        fail(
            _(
                "The master key of the original installation is required. Copy its "
                "master.key to {path}, or set SAEGIM_MASTER_KEY.",
                path=folder.master_key,
            )
        )
    protect_process()
    make_private(folder)
    out.print(_("Starting Saegim ({folder})", folder=folder.path), soft_wrap=True)
    _on_signals(_interrupt)
    try:
        with taken, ExitStack() as parts:
            try:
                _run(settings, folder, taken, parts, Start(began, restore))
            finally:
                # A second Ctrl-C must not leave the rest of the parts to their own fate.
                _on_signals(signal.SIG_IGN)
                out.print(_("Stopping…"))
    except KeyboardInterrupt:
        pass
    except SaegimError as error:
        fail(f"{_(error.text)}\n{error.detail}")
    out.print(_("Stopped."))


def _run(
    settings: Settings, folder: DataFolder, taken: socket.socket, parts: ExitStack, start: Start
) -> None:
    # First of all: it is also what keeps a second `saegim dev` out of the folder.
    worker = parts.enter_context(WorkerProcess(folder))
    servers = start_servers(settings, folder, parts)
    # It started first, to claim the folder, but has to end before the servers it talks to.
    parts.callback(worker.stop)
    settings = prepare(servers, folder).model_copy(update={"port": listener.port_of(taken)})
    if start.restore is not None:
        _restore(settings, folder, start.restore)
    parts.callback(folder.running.unlink, missing_ok=True)
    write_running(folder, settings)
    with timed("API"):
        # Seconds of imports, better spent while the servers are up than before a first line.
        from saegim.cli.dev.api import serve  # noqa: PLC0415
    serve(settings, folder, worker, taken, start.began)


def _restore(settings: Settings, folder: DataFolder, file: Path) -> None:
    """Fills the databases that were just made from a backup."""
    # Seconds of imports, which most starts can do without.
    from saegim.cli.dev import demo as dev_demo  # noqa: PLC0415
    from saegim.cli.operators import (  # noqa: PLC0415
        backup_commands,
        tenant_commands,
    )

    async def work(services: "Services") -> None:
        tenants = await backup_commands.restore(services, str(file))
        await dev_demo.adopt(services, tenants, folder.demo_key)

    tenant_commands.run(settings, work)


def make_private(folder: DataFolder) -> None:
    """Nobody else reads what this process and those that it starts write. As root, Postgres runs
    as a user of its own, which must pass the folder but cannot list it."""
    os.umask(0o077)
    folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.path.chmod(0o700 if os.geteuid() else 0o701)


def _interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - Python's signature
    raise KeyboardInterrupt


def _on_signals(handler: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    for number in STOP_SIGNALS:
        signal.signal(number, handler)
