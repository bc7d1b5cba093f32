"""The API of `saegim dev`, and the messages when it is ready."""

import asyncio
import logging
import socket
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from rich.panel import Panel
from rich.text import Text

from saegim.app.container import Services
from saegim.app.settings import Settings
from saegim.cli.console import echo, out, say, timed
from saegim.cli.dev.demo import KEY_REFUSED, ensure_demo
from saegim.cli.dev.worker import WorkerProcess
from saegim.cli.environment import DataFolder
from saegim.cli.language import _
from saegim.cli.observability import setup_observability
from saegim.cli.server import listener, runner as serving
from saegim.cli.server.preflight import CAN_BYPASS, build_or_fail, require_embedders
from saegim.domain.errors import StoreUnavailable

GRACE_SECONDS = 3
POLL_SECONDS = 0.2
WORKER_SECONDS = 60.0
CURL = """\
curl -s {url}/v1/chat \\
  -H "Authorization: Bearer $(cat {key_file})" \\
  -H "Content-Type: application/json" \\
  -d '{{"message": "안녕하세요"}}'"""


class ReadableLines(logging.Handler):
    """Prints requests and warnings; the complete log is in a file."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno < logging.WARNING and record.name != "saegim.api":
            return
        at = datetime.fromtimestamp(record.created).astimezone().strftime("%H:%M:%S")
        style = "yellow" if record.levelno >= logging.WARNING else "dim"
        echo(f"{at} {record.getMessage()}", style=style)


def serve(
    settings: Settings,
    folder: DataFolder,
    worker: WorkerProcess,
    sock: socket.socket,
    began: float,
) -> None:
    """Serve until a signal comes."""
    with folder.api_log.open("a", encoding="utf-8") as log:
        setup_observability(settings, "saegim-api", log)
        logging.getLogger().addHandler(ReadableLines())
        asyncio.run(_serve(build_or_fail(settings), folder, worker, sock, began))


async def _serve(
    services: Services,
    folder: DataFolder,
    worker: WorkerProcess,
    sock: socket.socket,
    began: float,
) -> None:
    await services.open()
    await require_embedders(services)
    with timed(_("demo tenant (key in {path})", path=folder.demo_key)):
        demo = await ensure_demo(services, folder.demo_key)
    if demo.made is not None:
        say("           demo key {key}", key=demo.made)
    if demo.refused:
        say(KEY_REFUSED, style="yellow", path=folder.demo_key, tenant=demo.tenant or "ID")
    if (await services.db.health.check()).can_bypass:
        say(CAN_BYPASS, style="yellow")

    async def meanwhile() -> None:
        welcome(services.settings, folder, began)
        # Only now: its imports would slow down the start.
        worker.start()
        await asyncio.gather(worker.keep_running(), _report_worker(services))

    listener.answer(sock, services.settings.host)
    await serving.serve(services, sock, GRACE_SECONDS, meanwhile)


async def _report_worker(services: Services) -> None:
    """Print when the worker is ready, which takes seconds after its process starts."""
    began = time.monotonic()
    while time.monotonic() - began < WORKER_SECONDS:
        with suppress(StoreUnavailable):
            heartbeat = (await services.db.health.check()).heartbeat_seconds
            waited = time.monotonic() - began
            # An older heartbeat is of a worker of the last run, which was killed.
            if heartbeat is not None and heartbeat < waited:
                say("  {seconds:>5} s  worker", seconds=f"{waited:.1f}")
                return
        await asyncio.sleep(POLL_SECONDS)
    say("The worker is not responding yet. Run `saegim doctor` for details.", style="yellow")


def welcome(settings: Settings, folder: DataFolder, began: float) -> None:
    """Print the addresses, the files and an example request."""
    url = listener.address(settings.host, settings.port)
    key_file = _short(folder.demo_key)
    body = _(
        "web and API  {url}\nkey          {key_file}\nlogs         {logs}, {more}",
        url=url,
        key_file=key_file,
        logs=_short(folder.api_log),
        more=_short(folder.worker_log),
    )
    title = _("Saegim is ready ({seconds} s)", seconds=f"{time.monotonic() - began:.1f}")
    out.print(Panel(Text(body), title=title, expand=False, padding=(1, 2)))
    # Outside the frame, so that it can be copied.
    echo(CURL.format(url=url, key_file=key_file))
    say("Press Ctrl-C to stop. In another terminal: saegim chat, saegim doctor")


def _short(path: Path) -> Path:
    """Return the path relative to the working directory, if it is below it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
