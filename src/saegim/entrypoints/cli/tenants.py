"""What operators do with tenants and keys."""

from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from saegim.domain.scope import Locale
from saegim.entrypoints.cli import cell_texts, cells, environment, texts

tenant = typer.Typer(no_args_is_help=True)
key = typer.Typer(no_args_is_help=True)

Data = Annotated[Path | None, typer.Option(help=texts.HELP_DATA())]


@tenant.command("create", help=texts.HELP_TENANT_CREATE())
def create_tenant(
    name: Annotated[str, typer.Argument(help=texts.HELP_NAME())],
    locale: Annotated[Locale, typer.Option(help=texts.HELP_LOCALE())] = "ko",
    cell: Annotated[str, typer.Option(help=cell_texts.HELP_OF_TENANT())] = "main",
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.entrypoints.cli import operators  # noqa: PLC0415

    operators.run(settings, lambda services: operators.create_tenant(services, name, locale, cell))


tenant.command("move", help=cell_texts.HELP_MOVE())(cells.move)


@key.command("create", help=texts.HELP_KEY_CREATE())
def create_key(
    tenant: Annotated[UUID, typer.Option(help=texts.HELP_TENANT_ID())],
    user: Annotated[str | None, typer.Option(help=texts.HELP_KEY_USER())] = None,
    assistant: Annotated[UUID | None, typer.Option(help=texts.HELP_ASSISTANT_ID())] = None,
    name: Annotated[str, typer.Option(help=texts.HELP_KEY_NAME())] = "cli",
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    from saegim.entrypoints.cli import operators  # noqa: PLC0415

    new = operators.NewKey(tenant, assistant, name, user)
    operators.run(settings, lambda services: operators.create_key(services, new))
