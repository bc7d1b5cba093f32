"""The work of operators' commands, through the services themselves."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from uuid import UUID

from saegim.app.container import Services
from saegim.app.settings import Settings
from saegim.cli.console import err, fail, out
from saegim.cli.json_output import report
from saegim.cli.language import _
from saegim.cli.server.preflight import build_or_fail
from saegim.domain.errors import SaegimError
from saegim.domain.scope import Locale, Role
from saegim.jobs.types import Job, JobKind
from saegim.library.jobs import index_lock

MOST_FAILURES = 1_000


@dataclass(frozen=True, slots=True)
class KeyRequest:
    """A key that is asked for."""

    tenant: UUID
    assistant: UUID | None
    name: str
    user: str | None
    role: Role | None = None


def run(settings: Settings, work: Callable[[Services], Awaitable[None]]) -> None:
    """Does the work on open services; what goes wrong is said in the user's language."""
    asyncio.run(_run(build_or_fail(settings), work))


async def _run(services: Services, work: Callable[[Services], Awaitable[None]]) -> None:
    await services.open()
    try:
        await work(services)
    except SaegimError as error:
        fail(f"{_(error.text)} {error.detail}".strip())
    finally:
        await services.close()


async def create_tenant(services: Services, name: str, locale: Locale, cell: str) -> None:
    made = await services.auth.tenants.create(name, locale, services.db.cells.named(cell).name)
    report({"tenant": made.tenant.id, "assistant": made.assistant.id, "key": made.key})
    shown = _(
        "tenant     {tenant}\nassistant  {assistant}\nkey        {key}",
        tenant=made.tenant.id,
        assistant=made.assistant.id,
        key=made.key,
    )
    out.print(shown, soft_wrap=True)
    err.print(_("The key is shown only once. Store it in a safe place."), style="yellow")


async def create_key(services: Services, new: KeyRequest) -> None:
    assistant = choose_assistant(new, await services.auth.tenants.assistants(new.tenant))
    key = await services.auth.tenants.create_key(
        new.tenant, assistant, new.name, new.user, new.role
    )
    report({"key": key})
    out.print(key, soft_wrap=True)
    err.print(_("The key is shown only once. Store it in a safe place."), style="yellow")


async def reindex(services: Services, tenant: UUID) -> None:
    """Queues the rebuild behind whatever the index has still to be told."""
    job = Job(JobKind.REBUILD_INDEX, tenant, tenant, lock=index_lock(tenant))
    cell = await services.db.cells.for_tenant(tenant)
    async with cell.transaction(tenant) as connection:
        queued = await services.jobs.queue.defer(connection, job)
    report({"job": queued})
    out.print(_("Job {job} will rebuild the index.", job=queued))


async def extract_again(services: Services, tenant: UUID) -> None:
    """Queues the turns that only a twin has read."""
    queued = await services.memory.turn_memories.extract_again(tenant)
    report({"queued": queued})
    out.print(_("Queued {count} turns.", count=queued))


async def show_failures(services: Services, tenant: UUID) -> None:
    """The turns that no model's answer could be read for, oldest first."""
    failures = await services.memory.turn_memories.failures(tenant, MOST_FAILURES)
    report(list(failures))
    for each in failures:
        at = each.at.isoformat(timespec="seconds")
        line = _(
            "turn {turn}: {error}, {attempts} attempts, {at}",
            turn=each.turn,
            error=each.error,
            attempts=each.attempts,
            at=at,
        )
        out.print(line, soft_wrap=True)
    if not failures:
        out.print(_("No failed turns."))


async def replay_failures(services: Services, tenant: UUID) -> None:
    """Puts those turns back in line."""
    queued = await services.memory.turn_memories.replay(tenant, MOST_FAILURES)
    report({"queued": queued})
    out.print(_("Queued {count} turns.", count=queued))


def choose_assistant(new: KeyRequest, there: tuple[UUID, ...]) -> UUID:
    """The assistant that a new key talks to; ends the command where it cannot be told."""
    if not there:
        fail(_("Tenant not found: {tenant}", tenant=new.tenant))
    if new.assistant is None and len(there) > 1:
        fail(
            _(
                "The tenant has several assistants. Choose one with --assistant: {assistants}",
                assistants=", ".join(map(str, there)),
            )
        )
    chosen = next(iter(there)) if new.assistant is None else new.assistant
    if chosen not in there:
        fail(_("The tenant has no assistant {assistant}", assistant=chosen))
    return chosen
