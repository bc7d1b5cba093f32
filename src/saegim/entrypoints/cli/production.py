"""Runs the API, a worker or migrations, where everything that they need is in place."""

import asyncio
import socket

from saegim.adapters.keyring import store as keyring_store
from saegim.bootstrap import MissingSetting, required
from saegim.entrypoints.cli import fence, listening, serving, texts
from saegim.entrypoints.cli.console import err, fail
from saegim.entrypoints.cli.looking_on import look_on
from saegim.entrypoints.protection import protect_process
from saegim.entrypoints.worker import main as worker
from saegim.settings import Settings

GRACE_SECONDS = 10


def serve(settings: Settings, taken: socket.socket) -> None:
    """The API until a signal comes; not on a login that could cross the fence."""
    protect_process()
    look_on(settings, "saegim-api")
    fence.require_fence(settings)
    services = fence.build_or_fail(settings)
    url = listening.address(settings.host, listening.port_of(taken))

    async def meanwhile() -> None:
        err.print(texts.SERVING(url=url))

    async def run() -> None:
        listening.answer(taken, settings.host)
        await serving.serve(services, taken, GRACE_SECONDS, meanwhile)

    asyncio.run(run())


def work(settings: Settings, cell: str, *, fenced: bool) -> None:
    """A worker of a cell until a signal comes; that of `saegim dev` takes the login it is given."""
    protect_process()
    look_on(settings, "saegim-worker")
    if fenced:
        fence.require_fence(settings, cell)
    else:
        fence.require_schema(settings, cell)
    worker.run(settings, cell)


def migrate(settings: Settings) -> str:
    """Brings the data's database and the keyring to the newest schema; the revision it has now."""
    try:
        admin = required(settings.postgres_admin_url, "SAEGIM_POSTGRES_ADMIN_URL")
        app = required(settings.postgres_url, "SAEGIM_POSTGRES_URL")
        keyring = required(settings.keyring_url, "SAEGIM_KEYRING_URL")
    except MissingSetting as error:
        fail(texts.WRONG_SETTING(found=error))
    # A second of imports, which serving can do without.
    from saegim.adapters.postgres import migrate as migrations  # noqa: PLC0415

    revision = migrations.migrate(admin, app)
    keyring_store.prepare(keyring)
    return revision
