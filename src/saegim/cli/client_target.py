"""Commands that call the API: which server, with which key, as which user."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from inspect import signature
from pathlib import Path
from typing import Annotated, Any, Concatenate, NoReturn

import typer

from saegim.cli import environment
from saegim.cli.console import fail
from saegim.cli.environment import Data, DataFolder
from saegim.cli.json_output import set_options
from saegim.cli.language import LOCALE, _
from saegim.cli.server import listener
from saegim.client import ClientError, SaegimClient, Unreachable

type Work[**P] = Callable[Concatenate[ClientTarget, P], None]

KEY_VARIABLE = "SAEGIM_KEY"
OPTIONS = ("data", "url", "key_file", "user")
PROFILE_OPTIONS = (*OPTIONS, "profile")

Url = Annotated[str | None, typer.Option(help=_("API URL. Default: the running `saegim dev`."))]
KeyFile = Annotated[
    Path | None,
    typer.Option(
        help=_("File with the API key. Default: SAEGIM_KEY, then demo.key in the data folder.")
    ),
]
User = Annotated[
    str | None, typer.Option(help=_("User to act as, for keys that can act as other users."))
]
Profile = Annotated[str | None, typer.Option(help=_("Profile name."))]
Yes = Annotated[bool, typer.Option("--yes", help=_("Skip the confirmation prompt."))]


@dataclass(frozen=True, slots=True)
class ClientTarget:
    """The API, the key and the user of a command."""

    url: str
    key: str = field(repr=False)
    user: str | None
    profile: str | None = None

    def open(self, timeout: float = 60.0) -> SaegimClient:
        return SaegimClient(
            self.url,
            self.key,
            user=self.user,
            profile=self.profile,
            language=LOCALE,
            timeout=timeout,
        )

    def call[T](self, work: Callable[[SaegimClient], Awaitable[T]], timeout: float = 60.0) -> T:
        """Run `work` with an open client. On an error of the client, print it and exit."""

        async def run() -> T:
            async with self.open(timeout) as client:
                return await work(client)

        try:
            return asyncio.run(run())
        except ClientError as error:
            self.explain(error)

    def explain(self, error: ClientError) -> NoReturn:
        """Print the error and exit."""
        if not isinstance(error, Unreachable):
            fail(str(error))
        fail(
            "No response from {url}. Is `saegim dev` running? ({reason})",
            url=self.url,
            reason=error,
        )

    def collect[T](
        self, items: Callable[[SaegimClient], AsyncIterator[T]], most: int | None = None
    ) -> list[T]:
        """Return the items, at most so many."""
        return self.call(lambda client: collect(items(client), most))


async def collect[T](items: AsyncIterator[T], most: int | None = None) -> list[T]:
    """Return the items, at most so many; fetches no page beyond them."""
    collected: list[T] = []
    async for each in items:
        collected.append(each)
        if len(collected) == most:
            break
    return collected


def open_client(
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
    profile: Profile = None,
) -> ClientTarget:
    """Return the API that the options name; exit if there is no key."""
    settings = environment.load_for(data)
    path = key_file or DataFolder(settings.data).demo_key
    key = (None if key_file else os.environ.get(KEY_VARIABLE)) or environment.read_private(path)
    if not key:
        fail(
            "No API key found ({path}). Run `saegim dev` first, or provide a key with "
            "SAEGIM_KEY or --key-file.",
            path=path,
        )
    return ClientTarget(url or listener.address(settings.host, settings.port), key, user, profile)


def with_client[**P](work: Work[P], options: tuple[str, ...] = OPTIONS) -> Callable[..., None]:
    """Return `work` with the options of `open_client` in place of its target."""
    _target, *own = signature(work).parameters.values()
    shared = [signature(open_client).parameters[name] for name in options]

    def run(**values: Any) -> None:
        target = open_client(**{name: values.pop(name) for name in options})
        work(target, **values)  # pyright: ignore[reportCallIssue] - as its signature says

    set_options(run, work, (*own, *shared))
    return run


def client_command[**P](
    group: typer.Typer, name: str, text: str, options: tuple[str, ...] = OPTIONS
) -> Callable[[Work[P]], None]:
    """Register a command of a group that calls the API."""

    def register(work: Work[P]) -> None:
        group.command(name, help=text)(with_client(work, options))

    return register
