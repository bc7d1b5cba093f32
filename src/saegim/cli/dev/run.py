"""Starts the components of `saegim dev` in order, and stops them in reverse order."""

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

from saegim.app import gc_tuning
from saegim.app.process_protection import protect_process
from saegim.app.settings import Settings
from saegim.cli.console import fail, say, timed
from saegim.cli.dev.data import prepare
from saegim.cli.dev.servers import start_servers
from saegim.cli.dev.worker import WorkerProcess
from saegim.cli.environment import DataFolder, write_running
from saegim.cli.language import _
from saegim.cli.server import listener
from saegim.cli.service_commands import run_work
from saegim.domain.errors import SaegimError

if TYPE_CHECKING:
    from saegim.app.container import Services

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True, slots=True)
class RunOptions:
    """A backup to restore first, and whether to import the demo library."""

    restore: Path | None = None
    demo: bool = False


def run(settings: Settings, sock: socket.socket, options: RunOptions) -> None:
    """Run until Ctrl-C or a signal; leaves no process behind."""
    restore, began = options.restore, time.monotonic()
    folder = DataFolder(settings.data.resolve())
    make_private(folder)
    if restore is not None and settings.master_key is None and not folder.master_key.exists():
        fail(
            "The master key of the original installation is required. Copy its "
            "master.key to {path}, or set SAEGIM_MASTER_KEY.",
            path=folder.master_key,
        )
    protect_process()
    say("Starting Saegim ({folder})", folder=folder.path)
    _on_signals(_interrupt)
    try:
        with sock, ExitStack() as stack:
            try:
                port = listener.port_of(sock)
                settings, worker = _start(settings, folder, stack, port, restore)
                with timed("API"), gc_tuning.paused():
                    # Seconds of imports, after the servers have started.
                    from saegim.cli.dev.api import Start, serve  # noqa: PLC0415
                serve(settings, folder, worker, sock, Start(began, options.demo))
            finally:
                # A second Ctrl-C must not interrupt the shutdown.
                _on_signals(signal.SIG_IGN)
                say("Stopping…")
    except KeyboardInterrupt:
        pass
    except SaegimError as error:
        fail(f"{_(error.text)}\n{error.detail}")
    say("Stopped.")


def _start(
    settings: Settings, folder: DataFolder, stack: ExitStack, port: int, restore: Path | None
) -> tuple[Settings, WorkerProcess]:
    """Start the servers and prepare the databases; the worker is started with the API."""
    # First, because it claims the folder: a second `saegim dev` stops here.
    worker = stack.enter_context(WorkerProcess(folder))
    servers = start_servers(settings, folder, stack)
    # The worker must stop before the servers it uses.
    stack.callback(worker.stop)
    settings = prepare(servers, folder).model_copy(update={"port": port})
    if restore is not None:
        _restore(settings, folder, restore)
    stack.callback(folder.running.unlink, missing_ok=True)
    write_running(folder, settings)
    return settings, worker


def _restore(settings: Settings, folder: DataFolder, file: Path) -> None:
    # Seconds of imports, which most starts do not need.
    from saegim.cli.dev import demo as dev_demo  # noqa: PLC0415
    from saegim.cli.operators import backup_commands  # noqa: PLC0415

    async def work(services: "Services") -> None:
        tenants = await backup_commands.restore(services, str(file))
        await dev_demo.adopt(services, tenants, folder.demo_key)

    run_work(settings, work)


def make_private(folder: DataFolder) -> None:
    """Hide the files of this process and its children from other users. As root, PostgreSQL runs
    as its own user, which must be able to enter the folder but not list it."""
    os.umask(0o077)
    folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.path.chmod(0o700 if os.geteuid() else 0o701)


def _interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - Python's signature
    raise KeyboardInterrupt


def _on_signals(handler: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    for number in STOP_SIGNALS:
        signal.signal(number, handler)
