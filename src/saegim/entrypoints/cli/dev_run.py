"""Starts the parts of `saegim dev` one on the other, and stops them the other way round."""

import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from types import FrameType

from saegim.domain.errors import SaegimError
from saegim.entrypoints.cli import listening, texts
from saegim.entrypoints.cli.console import fail, out, timed
from saegim.entrypoints.cli.dev_data import prepare
from saegim.entrypoints.cli.dev_servers import start_servers
from saegim.entrypoints.cli.dev_worker import WorkerProcess
from saegim.entrypoints.cli.environment import DataFolder, write_running
from saegim.entrypoints.cli.language import LOCALE
from saegim.entrypoints.protection import protect_process
from saegim.settings import Settings

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run(settings: Settings, taken: socket.socket) -> None:
    """Runs until Ctrl-C or a signal; whatever happens, nothing of it is left running."""
    began = time.monotonic()
    folder = DataFolder(settings.data.resolve())
    protect_process()
    make_private(folder)
    out.print(texts.STARTING(folder=folder.path), soft_wrap=True)
    _on_signals(_interrupt)
    try:
        with taken, ExitStack() as parts:
            try:
                _run(settings, folder, taken, parts, began)
            finally:
                # A second Ctrl-C must not leave the rest of the parts to their own fate.
                _on_signals(signal.SIG_IGN)
                out.print(texts.STOPPING())
    except KeyboardInterrupt:
        pass
    except SaegimError as error:
        fail(f"{error.text[LOCALE]}\n{error.detail}")
    out.print(texts.STOPPED())


def _run(
    settings: Settings, folder: DataFolder, taken: socket.socket, parts: ExitStack, began: float
) -> None:
    # First of all: it is also what keeps a second `saegim dev` out of the folder.
    worker = parts.enter_context(WorkerProcess(folder))
    servers = start_servers(settings, folder, parts)
    # It started first, to claim the folder, but has to end before the servers it talks to.
    parts.callback(worker.stop)
    settings = prepare(servers, folder).model_copy(update={"port": listening.port_of(taken)})
    parts.callback(folder.running.unlink, missing_ok=True)
    write_running(folder, settings)
    with timed("API"):
        # Seconds of imports, better spent while the servers are up than before a first line.
        from saegim.entrypoints.cli.dev_api import serve  # noqa: PLC0415
    serve(settings, folder, worker, taken, began)


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
