"""The demo tenant of `saegim dev`, with a key that needs no `Saegim-User` header."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from saegim.app.container import Services
from saegim.auth.types import ActAs, parse_key
from saegim.cli.console import say
from saegim.cli.environment import read_private, write_private
from saegim.db.cells import HOME_CELL
from saegim.domain.errors import RequestRefused
from saegim.domain.scope import Role
from saegim.locales import N_

KEY_REFUSED = N_(
    "The demo key in {path} no longer works: it was revoked, or its user or "
    "tenant was erased. The file was not changed and no tenant was created.\n"
    "New key for the same tenant: saegim key create --tenant {tenant} --user "
    "demo --name demo --role owner\n"
    "To start with a new demo tenant, move the key file away and run `saegim "
    "dev` again."
)

NAME = "새김 데모"
USER = "demo"


@dataclass(frozen=True, slots=True)
class Demo:
    """The demo tenant, its key if it is new, or whether the one in the file is rejected."""

    made: str | None = None
    refused: bool = False
    tenant: UUID | None = None


async def ensure_demo(services: Services, key_file: Path) -> Demo:
    """Create a demo tenant on the first start. A key file that exists is not changed, even if the
    key does not work: the data in its tenant may still be needed."""
    known = read_private(key_file)
    if known is not None:
        parsed = parse_key(known)
        works = await _works(services, known)
        return Demo(refused=not works, tenant=parsed.tenant if parsed else None)
    created = await services.auth.tenants.create(NAME, "ko", HOME_CELL)
    made = await _make_key(services, key_file, created.tenant.id, created.assistant.id)
    return Demo(made=made, tenant=created.tenant.id)


async def adopt(services: Services, tenants: Sequence[UUID], key_file: Path) -> None:
    """Make a restored tenant the demo tenant, unless the folder has a key already: the oldest,
    which is the one that `saegim dev` made on its first start."""
    if not tenants or read_private(key_file) is not None:
        return
    tenant = min(tenants)
    assistants = await services.auth.tenants.assistants(tenant)
    await _make_key(services, key_file, tenant, assistants[0])
    say("The key in {path} is for the restored tenant {tenant}.", path=key_file, tenant=tenant)
    if len(tenants) > 1:
        say("For the others: saegim tenant list, then saegim key create --tenant ID --user NAME")


async def _make_key(services: Services, key_file: Path, tenant: UUID, assistant: UUID) -> str:
    key = await services.auth.tenants.create_key(
        tenant, assistant, name="demo", user=USER, role=Role.OWNER
    )
    write_private(key_file, f"{key}\n")
    return key


async def _works(services: Services, key: str) -> bool:
    try:
        await services.auth.authentication.authenticate(key, ActAs())
    except RequestRefused:
        return False
    return True
