"""The demo tenant of `saegim dev`, made once, with a key that needs no `Saegim-User` header."""

from pathlib import Path

from saegim.access.types import ActAs
from saegim.adapters.postgres.cells import HOME_CELL
from saegim.bootstrap import Services
from saegim.domain.errors import Refused
from saegim.domain.scope import Role
from saegim.entrypoints.cli.environment import read_private, write_private

NAME = "새김 데모"
USER = "demo"


async def ensure_demo(services: Services, key_file: Path) -> str | None:
    """The key of a demo tenant that was just made; None where the one in the file still works."""
    known = read_private(key_file)
    if known is not None and await _works(services, known):
        return None
    made = await services.tenants.create(NAME, "ko", HOME_CELL)
    key = await services.tenants.create_key(
        made.tenant.id, made.assistant.id, name="demo", user=USER, role=Role.ADMIN
    )
    write_private(key_file, f"{key}\n")
    return key


async def _works(services: Services, key: str) -> bool:
    try:
        await services.access.authenticate(key, ActAs())
    except Refused:
        return False
    return True
