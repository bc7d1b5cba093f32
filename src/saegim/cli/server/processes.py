"""Runs the API, a worker or migrations, where everything that they need is in place."""

import asyncio
import socket

from saegim.app.from_settings import MissingSetting, required
from saegim.app.process_protection import protect_process
from saegim.app.settings import Settings
from saegim.cli.console import err, fail
from saegim.cli.language import _
from saegim.cli.observability import setup_observability
from saegim.cli.server import listener, preflight, runner as serving
from saegim.encryption import key_store as keyring_store
from saegim.worker import main as worker

GRACE_SECONDS = 10


def serve(settings: Settings, taken: socket.socket) -> None:
    """The API until a signal comes; not on a login that could cross the fence."""
    protect_process()
    setup_observability(settings, "saegim-api")
    preflight.preflight_checks(settings)
    services = preflight.build_or_fail(settings)
    url = listener.address(settings.host, listener.port_of(taken))

    async def meanwhile() -> None:
        err.print(_("The API is running at {url}.", url=url))

    async def run() -> None:
        listener.answer(taken, settings.host)
        await serving.serve(services, taken, GRACE_SECONDS, meanwhile)

    asyncio.run(run())


def work(settings: Settings, cell: str, *, fenced: bool) -> None:
    """A worker of a cell until a signal comes; that of `saegim dev` takes the login it is given."""
    protect_process()
    setup_observability(settings, "saegim-worker")
    if fenced:
        preflight.preflight_checks(settings, cell)
    else:
        preflight.require_schema(settings, cell)
    worker.run(settings, cell)


def migrate(settings: Settings) -> str:
    """Brings the data's database and the keyring to the newest schema; the revision it has now."""
    try:
        admin = required(settings.postgres_admin_url, "SAEGIM_POSTGRES_ADMIN_URL")
        app = required(settings.postgres_url, "SAEGIM_POSTGRES_URL")
        keyring = required(settings.keyring_url, "SAEGIM_KEYRING_URL")
    except MissingSetting as error:
        fail(_("Invalid setting: {found}", found=error))
    # A second of imports, which serving can do without.
    from saegim.db import migrate as migrations  # noqa: PLC0415

    revision = migrations.migrate(admin, app)
    keyring_store.prepare(keyring)
    return revision
