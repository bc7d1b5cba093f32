"""`saegim memory`: what a person and an operator do with long-term memory."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Literal
from uuid import UUID

import typer

from saegim.cli import chat, environment
from saegim.cli.console import out
from saegim.cli.json_output import report
from saegim.cli.language import _
from saegim.client import ClientError, SaegimClient

memory = typer.Typer(no_args_is_help=True)

Turn = Annotated[UUID, typer.Argument(help=_("Turn ID."))]
Tenant = Annotated[UUID, typer.Option(help=_("Tenant ID."))]
Data = Annotated[
    Path | None,
    typer.Option(
        help=_("Data folder of the running `saegim dev`. Default: .saegim (SAEGIM_DATA).")
    ),
]

READING = {
    "waiting": _("The turn was not processed yet."),
    "read": _("The turn was processed."),
    "left_out": _("The user asked not to remember this."),
    "failed": _("The model output could not be parsed."),
    "off": _("Long-term memory is off."),
}


@memory.command("remembered", help=_("Show what was remembered from a turn."))
def remembered(
    turn: Turn,
    data: chat.Data = None,
    url: chat.Url = None,
    key_file: chat.KeyFile = None,
    user: chat.User = None,
) -> None:
    async def show(client: SaegimClient) -> None:
        found = await client.remembered(turn)
        report(found)
        out.print(READING[found.reading], soft_wrap=True)
        for each in found.remembered:
            out.print(f"  {each.memory_id}  {each.type}  {each.content}", soft_wrap=True)

    _ask(chat.open_client(data, url, key_file, user), show)


@memory.command("take-back", help=_("Forget what was remembered from a turn."))
def take_back(
    turn: Turn,
    data: chat.Data = None,
    url: chat.Url = None,
    key_file: chat.KeyFile = None,
    user: chat.User = None,
) -> None:
    async def forget(client: SaegimClient) -> None:
        count = await client.take_back(turn)
        report({"forgotten": count})
        out.print(_("Forgot {count} memories.", count=count))

    _ask(chat.open_client(data, url, key_file, user), forget)


@memory.command(
    "consent",
    help=_("Turn long-term memory on or off. Omit the value to show the current setting."),
)
def consent(
    switch: Annotated[Literal["on", "off"] | None, typer.Argument(help=_("on or off."))] = None,
    data: chat.Data = None,
    url: chat.Url = None,
    key_file: chat.KeyFile = None,
    user: chat.User = None,
) -> None:
    async def turn(client: SaegimClient) -> None:
        on = await client.consent(None if switch is None else switch == "on")
        report({"memory": on})
        out.print(_("Long-term memory is on.") if on else _("Long-term memory is off."))

    _ask(chat.open_client(data, url, key_file, user), turn)


@memory.command(
    "forget-session",
    help=_("Delete a conversation. With --derived, also delete memories that come only from it."),
)
def forget_session(
    session: Annotated[
        UUID, typer.Argument(metavar="ID", help=_("Name or ID of the session to continue."))
    ],
    derived: Annotated[
        bool,
        typer.Option(
            "--derived", help=_("Also delete memories that come only from this conversation.")
        ),
    ] = False,
    data: chat.Data = None,
    url: chat.Url = None,
    key_file: chat.KeyFile = None,
    user: chat.User = None,
) -> None:
    async def delete(client: SaegimClient) -> None:
        turns = await client.delete_session(session, derived=derived)
        report({"turns": turns})
        out.print(_("Deleted {count} turns.", count=turns))

    _ask(chat.open_client(data, url, key_file, user), delete)


@memory.command(
    "extract-again",
    help=_("Extract memories again, with the model, from turns processed by rules only."),
)
def extract_again(tenant: Tenant, data: Data = None) -> None:
    settings = environment.load_for(data)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.cli.operators import tenant_commands  # noqa: PLC0415

    tenant_commands.run(settings, lambda services: tenant_commands.extract_again(services, tenant))


@memory.command("failures", help=_("List turns whose model output could not be parsed."))
def failures(tenant: Tenant, data: Data = None) -> None:
    settings = environment.load_for(data)
    from saegim.cli.operators import tenant_commands  # noqa: PLC0415

    tenant_commands.run(settings, lambda services: tenant_commands.show_failures(services, tenant))


@memory.command("replay", help=_("Put those turns back in the queue."))
def replay(tenant: Tenant, data: Data = None) -> None:
    settings = environment.load_for(data)
    from saegim.cli.operators import tenant_commands  # noqa: PLC0415

    tenant_commands.run(
        settings, lambda services: tenant_commands.replay_failures(services, tenant)
    )


def _ask(line: chat.ClientTarget, work: Callable[[SaegimClient], Awaitable[None]]) -> None:
    async def ask() -> None:
        async with line.open() as client:
            await work(client)

    try:
        asyncio.run(ask())
    except ClientError as error:
        chat.explain(error, line)
