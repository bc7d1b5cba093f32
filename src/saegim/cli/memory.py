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
from saegim.cli.texts import common as texts, memory_texts
from saegim.client import ClientError, SaegimClient

memory = typer.Typer(no_args_is_help=True)

Turn = Annotated[UUID, typer.Argument(help=texts.HELP_TURN())]
Tenant = Annotated[UUID, typer.Option(help=memory_texts.HELP_TENANT())]
Data = Annotated[Path | None, typer.Option(help=texts.HELP_DATA())]


@memory.command("remembered", help=memory_texts.HELP_REMEMBERED())
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
        out.print(memory_texts.READING[found.reading](), soft_wrap=True)
        for each in found.remembered:
            out.print(f"  {each.memory_id}  {each.type}  {each.content}", soft_wrap=True)

    _ask(chat.open_line(data, url, key_file, user), show)


@memory.command("take-back", help=memory_texts.HELP_TAKE_BACK())
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
        out.print(memory_texts.FORGOTTEN(count=count))

    _ask(chat.open_line(data, url, key_file, user), forget)


@memory.command("consent", help=memory_texts.HELP_CONSENT())
def consent(
    switch: Annotated[
        Literal["on", "off"] | None, typer.Argument(help=memory_texts.HELP_SWITCH())
    ] = None,
    data: chat.Data = None,
    url: chat.Url = None,
    key_file: chat.KeyFile = None,
    user: chat.User = None,
) -> None:
    async def turn(client: SaegimClient) -> None:
        on = await client.consent(None if switch is None else switch == "on")
        report({"memory": on})
        out.print((memory_texts.ON if on else memory_texts.OFF)())

    _ask(chat.open_line(data, url, key_file, user), turn)


@memory.command("forget-session", help=memory_texts.HELP_FORGET_SESSION())
def forget_session(
    session: Annotated[UUID, typer.Argument(metavar="ID", help=texts.HELP_SESSION())],
    derived: Annotated[bool, typer.Option("--derived", help=memory_texts.HELP_DERIVED())] = False,
    data: chat.Data = None,
    url: chat.Url = None,
    key_file: chat.KeyFile = None,
    user: chat.User = None,
) -> None:
    async def delete(client: SaegimClient) -> None:
        turns = await client.delete_session(session, derived=derived)
        report({"turns": turns})
        out.print(memory_texts.DELETED(count=turns))

    _ask(chat.open_line(data, url, key_file, user), delete)


@memory.command("extract-again", help=memory_texts.HELP_EXTRACT_AGAIN())
def extract_again(tenant: Tenant, data: Data = None) -> None:
    settings = environment.load_for(data)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.cli.operators import tenant_commands  # noqa: PLC0415

    tenant_commands.run(settings, lambda services: tenant_commands.extract_again(services, tenant))


@memory.command("failures", help=memory_texts.HELP_FAILURES())
def failures(tenant: Tenant, data: Data = None) -> None:
    settings = environment.load_for(data)
    from saegim.cli.operators import tenant_commands  # noqa: PLC0415

    tenant_commands.run(settings, lambda services: tenant_commands.show_failures(services, tenant))


@memory.command("replay", help=memory_texts.HELP_REPLAY())
def replay(tenant: Tenant, data: Data = None) -> None:
    settings = environment.load_for(data)
    from saegim.cli.operators import tenant_commands  # noqa: PLC0415

    tenant_commands.run(
        settings, lambda services: tenant_commands.replay_failures(services, tenant)
    )


def _ask(line: chat.Line, work: Callable[[SaegimClient], Awaitable[None]]) -> None:
    async def ask() -> None:
        async with line.open() as client:
            await work(client)

    try:
        asyncio.run(ask())
    except ClientError as error:
        chat.explain(error, line)
