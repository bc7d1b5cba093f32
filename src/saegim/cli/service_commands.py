"""Commands for operators, which use the services directly instead of the API."""

import asyncio
from collections.abc import Awaitable, Callable
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Concatenate
from uuid import UUID

import typer

from saegim.app.settings import Settings
from saegim.cli import environment
from saegim.cli.console import fail
from saegim.cli.environment import Data
from saegim.cli.json_output import set_options
from saegim.cli.language import _
from saegim.domain.errors import SaegimError

if TYPE_CHECKING:
    from saegim.app.container import Services

type Work[**P] = Callable[Concatenate[Services, P], Awaitable[object]]

Tenant = Annotated[UUID, typer.Option(help=_("Tenant ID."))]
DATA = Parameter("data", Parameter.KEYWORD_ONLY, default=None, annotation=Data)


def run_work(settings: Settings, work: Work[[]]) -> None:
    """Run `work` on open services. On an error of ours, print it and exit."""
    # Seconds of imports, which the help of every command would wait for.
    from saegim.cli.server.preflight import build_or_fail  # noqa: PLC0415

    services = build_or_fail(settings)

    async def run() -> None:
        await services.open()
        try:
            await work(services)
        except SaegimError as error:
            fail(f"{_(error.text)} {error.detail}".strip())
        finally:
            await services.close()

    asyncio.run(run())


def with_services[**P](work: Work[P]) -> Callable[..., None]:
    """Return `work` with the option `--data` in place of its services."""
    _services, *own = signature(work).parameters.values()

    def run(*, data: Path | None, **values: Any) -> None:
        run_work(
            environment.load_for(data),
            lambda services: work(services, **values),  # pyright: ignore[reportCallIssue] - as its signature says
        )

    set_options(run, work, (*own, DATA))
    return run


def service_command[**P](group: typer.Typer, name: str, text: str) -> Callable[[Work[P]], Work[P]]:
    """Register a command of a group that works on services; return the function unchanged."""

    def register(work: Work[P]) -> Work[P]:
        group.command(name, help=text)(with_services(work))
        return work

    return register
