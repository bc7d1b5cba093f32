"""The API of `saegim dev`, in its own process, and what is said once it answers."""

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
from saegim.cli.console import out, timed
from saegim.cli.dev.demo import KEY_REFUSED, ensure_demo
from saegim.cli.dev.worker import WorkerProcess
from saegim.cli.environment import DataFolder
from saegim.cli.language import _
from saegim.cli.observability import setup_observability
from saegim.cli.server import listener, runner as serving
from saegim.cli.server.preflight import build_or_fail, require_embedders
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
    """Requests and warnings for a person who looks on; the whole log is in a file."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno < logging.WARNING and record.name != "saegim.api":
            return
        at = datetime.fromtimestamp(record.created).astimezone().strftime("%H:%M:%S")
        style = "yellow" if record.levelno >= logging.WARNING else "dim"
        out.print(f"{at} {record.getMessage()}", style=style, soft_wrap=True)


def serve(
    settings: Settings,
    folder: DataFolder,
    worker: WorkerProcess,
    taken: socket.socket,
    began: float,
) -> None:
    """Serves until a signal comes."""
    with folder.api_log.open("a", encoding="utf-8") as log:
        setup_observability(settings, "saegim-api", log)
        logging.getLogger().addHandler(ReadableLines())
        asyncio.run(_serve(build_or_fail(settings), folder, worker, taken, began))


async def _serve(
    services: Services,
    folder: DataFolder,
    worker: WorkerProcess,
    taken: socket.socket,
    began: float,
) -> None:
    await services.open()
    await require_embedders(services)
    with timed(_("demo tenant (key in {path})", path=folder.demo_key)):
        demo = await ensure_demo(services, folder.demo_key)
    if demo.made is not None:
        out.print(_("           demo key {key}", key=demo.made), soft_wrap=True)
    if demo.refused:
        found = {"path": folder.demo_key, "tenant": demo.tenant or "ID"}
        out.print(
            _(KEY_REFUSED, **found),
            style="yellow",
            soft_wrap=True,
        )
    if (await services.db.health.check()).can_bypass:
        out.print(
            _(
                "The role in SAEGIM_POSTGRES_URL can bypass row-level security. Use a role "
                "that is neither a superuser nor BYPASSRLS."
            ),
            style="yellow",
        )

    async def meanwhile() -> None:
        welcome(services.settings, folder, began)
        # Only now: while it imports, it would take the processor from what people wait for.
        worker.start()
        await asyncio.gather(worker.keep_running(), _greet(services))

    listener.answer(taken, services.settings.host)
    await serving.serve(services, taken, GRACE_SECONDS, meanwhile)


async def _greet(services: Services) -> None:
    """A line for the worker once it works, which is seconds after its process is there."""
    began = time.monotonic()
    while time.monotonic() - began < WORKER_SECONDS:
        with suppress(StoreUnavailable):
            heard = (await services.db.health.check()).heartbeat_seconds
            waited = time.monotonic() - began
            # An older sign of life is that of a worker of the run before, which was killed.
            if heard is not None and heard < waited:
                out.print(_("  {seconds:>5} s  worker", seconds=f"{waited:.1f}"))
                return
        await asyncio.sleep(POLL_SECONDS)
    out.print(
        _("The worker is not responding yet. Run `saegim doctor` for details."), style="yellow"
    )


def welcome(settings: Settings, folder: DataFolder, began: float) -> None:
    """Where it is and what to try."""
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
    # Outside the frame, and never wrapped, so that it can be copied.
    out.print(CURL.format(url=url, key_file=key_file), soft_wrap=True)
    out.print(_("Press Ctrl-C to stop. In another terminal: saegim chat, saegim doctor"))


def _short(path: Path) -> Path:
    """As a person in this folder would name it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
