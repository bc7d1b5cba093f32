"""Runs the API, a worker or migrations, after the preflight checks."""

import socket
from contextlib import suppress
from typing import TYPE_CHECKING

from saegim.app import event_loop, gc_tuning
from saegim.app.from_settings import MissingSetting, required
from saegim.app.process_protection import protect_process
from saegim.app.settings import Settings
from saegim.cli.console import echo, warn
from saegim.cli.environment import fail_invalid
from saegim.cli.observability import setup_observability
from saegim.cli.server import listener, preflight
from saegim.domain.errors import StoreUnavailable
from saegim.encryption import key_store as keyring_store
from saegim.worker import main as worker

if TYPE_CHECKING:
    from saegim.app.container import Services

GRACE_SECONDS = 10


def serve(settings: Settings, sock: socket.socket) -> None:
    """Run the API until a signal comes."""
    protect_process()
    setup_observability(settings, "saegim-api")
    preflight.preflight_checks(settings)
    services = preflight.build_or_fail(settings)
    # A second of imports, which a worker does not need.
    with gc_tuning.paused():
        from saegim.cli.server import runner as serving  # noqa: PLC0415

    url = listener.address(settings.host, listener.port_of(sock))

    async def meanwhile() -> None:
        warn("The API is running at {url}.", style="", url=url)
        await print_set_up_link(services, settings.public_url or url)

    async def run() -> None:
        listener.answer(sock, settings.host)
        await serving.serve(services, sock, GRACE_SECONDS, meanwhile)

    event_loop.run(run())


async def print_set_up_link(services: "Services", url: str) -> None:
    """Print a link to the first set-up if there is no tenant. No log has its code."""
    with suppress(StoreUnavailable):
        if await services.auth.set_up.needed():
            code = await services.auth.set_up.new_code()
            warn("No organisation exists yet. Open this link to set up Saegim:", style="")
            echo(f"  {url}/set-up?code={code}")


def work(settings: Settings, cell: str, *, fenced: bool) -> None:
    """Run a worker of a cell until a signal comes. The worker of `saegim dev` is not fenced: its
    role may bypass row-level security."""
    protect_process()
    setup_observability(settings, "saegim-worker")
    if fenced:
        preflight.preflight_checks(settings, cell)
    else:
        preflight.require_schema(settings, cell)
    worker.run(settings, cell)


def migrate(settings: Settings) -> str:
    """Migrate the database and the keyring, and return the revision."""
    try:
        admin = required(settings.postgres_admin_url, "SAEGIM_POSTGRES_ADMIN_URL")
        app = required(settings.postgres_url, "SAEGIM_POSTGRES_URL")
        keyring = required(settings.keyring_url, "SAEGIM_KEYRING_URL")
    except MissingSetting as error:
        fail_invalid(error)
    # A second of imports, which serving does not need.
    from saegim.db import migrate as migrations  # noqa: PLC0415

    revision = migrations.migrate(admin, app)
    keyring_store.prepare(keyring)
    return revision
