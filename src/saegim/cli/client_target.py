"""Where a user's command calls, with which key, as whom."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from saegim.cli import environment
from saegim.cli.console import fail
from saegim.cli.environment import DataFolder
from saegim.cli.language import LOCALE, _
from saegim.cli.server import listener
from saegim.client import ClientError, SaegimClient, Unreachable

KEY_VARIABLE = "SAEGIM_KEY"

Data = Annotated[
    Path | None,
    typer.Option(
        help=_("Data folder of the running `saegim dev`. Default: .saegim (SAEGIM_DATA).")
    ),
]
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


@dataclass(frozen=True, slots=True)
class ClientTarget:
    """Where to call, with which key, as whom."""

    url: str
    key: str = field(repr=False)
    user: str | None
    profile: str | None = None

    def open(self) -> SaegimClient:
        return SaegimClient(
            self.url, self.key, user=self.user, profile=self.profile, language=LOCALE
        )


def open_client(
    data: Path | None, url: str | None, key_file: Path | None, user: str | None
) -> ClientTarget:
    settings = environment.load_for(data)
    place = key_file or DataFolder(settings.data).demo_key
    given = None if key_file else os.environ.get(KEY_VARIABLE)
    key = given or environment.read_private(place)
    if not key:
        fail(
            _(
                "No API key found ({path}). Run `saegim dev` first, or provide a key with "
                "SAEGIM_KEY or --key-file.",
                path=place,
            )
        )
    return ClientTarget(url or listener.address(settings.host, settings.port), key, user)


def explain(error: ClientError, line: ClientTarget) -> NoReturn:
    if isinstance(error, Unreachable):
        fail(
            _(
                "No response from {url}. Is `saegim dev` running? ({reason})",
                url=line.url,
                reason=error,
            )
        )
    fail(str(error))
