"""The API of `saegim dev`, and the messages when it is ready."""

import asyncio
import logging
import os
import socket
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rich.panel import Panel
from rich.text import Text

from saegim.app import event_loop
from saegim.app.container import Services
from saegim.app.settings import Settings
from saegim.auth.sign_in_links import LASTS
from saegim.auth.types import ActAs
from saegim.chat.preview import PreviewRequest
from saegim.cli.client_target import ClientTarget
from saegim.cli.console import echo, out, say, timed, warn
from saegim.cli.demo.command import load_demo
from saegim.cli.dev.demo import KEY_REFUSED, ensure_demo
from saegim.cli.dev.model_offer import ask_line, can_ask, offer_model
from saegim.cli.dev.worker import WorkerProcess
from saegim.cli.environment import DataFolder, read_private
from saegim.cli.language import _
from saegim.cli.observability import setup_observability
from saegim.cli.server import listener, runner as serving
from saegim.cli.server.preflight import CAN_BYPASS, build_or_fail, require_embedders
from saegim.client import ClientError
from saegim.domain.errors import SaegimError, StoreUnavailable
from saegim.llm.connections.discovery import LOCAL_SERVERS, ModelDiscovery
from saegim.llm.connections.types import RoleChoice
from saegim.llm.ports import ModelRole
from saegim.telemetry.logs import CALLS


def model_line(choices: Sequence[RoleChoice]) -> str:
    """Return the models that answer, and whose they are; or that there is none."""
    roles = (ModelRole.LITE, ModelRole.STRONG)
    answering = [choice for choice in choices if choice.role in roles]
    models = ", ".join(dict.fromkeys(each.model for each in answering if each.model))
    if not models:
        return _("none, quotes and notes only. Connect one: saegim model add")
    sources = ", ".join(dict.fromkeys(each.connection for each in answering if each.connection))
    return f"{models} ({sources})" if sources else models


GRACE_SECONDS = 3
POLL_SECONDS = 0.2
WORKER_SECONDS = 60.0
UPLOAD = "/v1/ingests/{ingest_id}/files/{name:path}"
LINK_MINUTES = int(LASTS.total_seconds() // 60)
# Any message will do: it loads what the first real one would wait for.
FIRST_MESSAGE = "새김"


@dataclass(frozen=True, slots=True)
class Start:
    """When the command was started, and whether to import the demo library."""

    began: float
    demo: bool


class ReadableLines(logging.Handler):
    """Prints requests and warnings; the complete log is in a file."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno < logging.WARNING and (record.name != CALLS or _is_upload(record)):
            return
        at = datetime.fromtimestamp(record.created).astimezone().strftime("%H:%M:%S")
        style = "yellow" if record.levelno >= logging.WARNING else "dim"
        echo(f"{at} {record.getMessage()}", style=style)


def _is_upload(record: logging.LogRecord) -> bool:
    """Return whether a line is about one of many uploaded files, which a bar counts already."""
    fields: dict[str, object] = getattr(record, "fields", {})
    return fields.get("route") == UPLOAD


def serve(
    settings: Settings,
    folder: DataFolder,
    worker: WorkerProcess,
    sock: socket.socket,
    start: Start,
) -> None:
    """Serve until a signal comes."""
    with folder.api_log.open("a", encoding="utf-8") as log:
        setup_observability(settings, "saegim-api", log)
        logging.getLogger().addHandler(ReadableLines())
        services = build_or_fail(settings)
        services.llm.connections.discovery = ModelDiscovery(LOCAL_SERVERS, os.environ)
        event_loop.run(_serve(services, folder, worker, sock, start))


async def _serve(
    services: Services,
    folder: DataFolder,
    worker: WorkerProcess,
    sock: socket.socket,
    start: Start,
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
        with timed(_("embedder and search")):
            await warm_up(services, folder)
        roles = await services.llm.connections.roles(demo.tenant) if demo.tenant else []
        # Only now: its imports would slow down the start.
        worker.start()
        welcome(services, folder, start, model_line(roles), key_works=not demo.refused)
        background = [worker.keep_running(), _report_worker(services)]
        if start.demo and not demo.refused:
            background.append(_import_demo(services.settings, folder))
        if demo.tenant and not demo.refused:
            target, ask = _target(services.settings, folder), ask_line if can_ask() else None
            background.append(offer_model(services, demo.tenant, target, ask))
        await asyncio.gather(*background)

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


async def warm_up(services: Services, folder: DataFolder) -> None:
    """Load what a message needs, and prepare one, so that the first real one is not degraded."""
    await services.warm_up()
    key = read_private(folder.demo_key)
    # Without a key that works, or a store, there is nobody to prepare a message for.
    with suppress(SaegimError):
        caller = await services.auth.authentication.authenticate(key or "", ActAs())
        await services.chat.preview.draft(caller, PreviewRequest(FIRST_MESSAGE))


async def _import_demo(settings: Settings, folder: DataFolder) -> None:
    """Import the demo library through the API, as `saegim demo` does."""
    try:
        async with _target(settings, folder).open() as client:
            await load_demo(client)
    except ClientError as error:
        warn("The demo library could not be imported: {error}", error=error)


def _target(settings: Settings, folder: DataFolder) -> ClientTarget:
    """Return this server, with the demo key."""
    url = listener.address(settings.host, settings.port)
    return ClientTarget(url, read_private(folder.demo_key) or "", user=None)


def _print_link(services: Services, folder: DataFolder, url: str) -> None:
    """Print a link to sign in outside the frame, so that it can be copied. No log has it."""
    token = services.auth.sign_in_links.create(lambda: read_private(folder.demo_key))
    say("Open this link to sign in. It works once, within {minutes} minutes:", minutes=LINK_MINUTES)
    echo(f"  {url}/sign-in/once?token={token}")


def welcome(
    services: Services, folder: DataFolder, start: Start, model: str, *, key_works: bool
) -> None:
    """Print the addresses, the model, the files, a link to sign in and what to type next."""
    settings = services.settings
    url = listener.address(settings.host, settings.port)
    body = _(
        "web    {url}\nAPI    {url}/docs\nkey    {key_file}\nmodel  {model}\nlogs   {logs}, {more}",
        url=url,
        key_file=_short(folder.demo_key),
        model=model,
        logs=_short(folder.api_log),
        more=_short(folder.worker_log),
    )
    title = _("Saegim is ready ({seconds} s)", seconds=f"{time.monotonic() - start.began:.1f}")
    out.print(Panel(Text(body), title=title, expand=False, padding=(1, 2)))
    if key_works:
        _print_link(services, folder, url)
    if start.demo and key_works:
        say("Importing the demo library. Press Ctrl-C to stop Saegim.")
    else:
        say(
            "Next, in another terminal: `saegim demo` imports example documents, `saegim ingest "
            "FOLDER` your own, `saegim chat` asks. Press Ctrl-C to stop."
        )


def _short(path: Path) -> Path:
    """Return the path relative to the working directory, if it is below it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
