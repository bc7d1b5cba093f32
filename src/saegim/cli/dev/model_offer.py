"""The question of `saegim dev` whether to use a model that it found."""

import asyncio
import os
import shlex
import sys
from collections.abc import Awaitable, Callable
from uuid import UUID

from saegim.app.container import Services
from saegim.cli.client_target import ClientTarget
from saegim.cli.console import say, warn
from saegim.cli.models import CHECK_SECONDS
from saegim.client import ClientError, SaegimProblem
from saegim.llm.connections.discovery import FoundModel

type Ask = Callable[[], Awaitable[str]]

# The last is what the key y types with a Korean keyboard.
YES = ("", "y", "yes", "예", "네", "ㅛ")
LONGEST_ANSWER = 1_000


async def offer_model(
    services: Services, tenant: UUID, target: ClientTarget, ask: Ask | None
) -> None:
    """Offer each model found until one is connected, if there is none yet. Without `ask`, which
    reads a line of the person at the terminal, print the command for the first."""
    if await _is_connected(services, tenant):
        return
    for found in await services.llm.connections.discovery.find():
        values = {"name": found.name, "model": found.model, "variable": found.key_variable}
        if ask is None:
            say("Found {name}. To use it: {command}", command=command_of(found), **values)
            return
        if found.key_variable:
            say("Use {name} with the key in {variable}? [Y/n]", style="bold", **values)
        else:
            say("Use {model} of {name}? [Y/n]", style="bold", **values)
        if (await ask()).strip().lower() not in YES:
            continue
        # Meanwhile one may have been connected in the browser.
        if await _is_connected(services, tenant) or await _connect(target, found):
            return


async def _is_connected(services: Services, tenant: UUID) -> bool:
    return any(choice.model for choice in await services.llm.connections.roles(tenant))


async def _connect(target: ClientTarget, found: FoundModel) -> bool:
    say("Testing {provider}…", provider=found.name)
    try:
        async with target.open(CHECK_SECONDS) as client:
            added = await client.add_model_connection(
                found.provider, found=found.name, model=found.model
            )
    except ClientError as error:
        reason = (isinstance(error, SaegimProblem) and error.detail) or str(error)
        warn("Nothing was stored: {error}", error=" ".join(reason.split()))
        return False
    say("Connected as {name}. New messages use it.", style="green", name=added.name)
    return True


def command_of(found: FoundModel) -> str:
    """Return the command that connects a found model."""
    command = ["saegim", "model", "add", found.provider]
    if found.base_url and found.provider != "ollama":
        command += ["--base-url", found.base_url]
    if found.key_variable:
        return f'SAEGIM_MODEL_API_KEY="${found.key_variable}" {shlex.join(command)}'
    return shlex.join([*command, "--name", found.name, "--model", found.model])


def can_ask() -> bool:
    """Return whether a person sees what is printed, and can answer."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    # A background process that reads from its terminal is stopped.
    return terminal and os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()


async def ask_line(source: int = 0) -> str:
    """Return the next line typed at the terminal. Cancelling does not wait for it."""
    loop, readable = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(source, readable.set)
    try:
        await readable.wait()
    finally:
        loop.remove_reader(source)
    # A terminal delivers whole lines; an empty read is the end of the input.
    return os.read(source, LONGEST_ANSWER).decode(errors="replace") or "n"
