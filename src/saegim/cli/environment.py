"""Settings for a command: of the environment, or of the `saegim dev` that runs in a folder."""

import json
import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NoReturn, get_args, get_origin

import typer
from pydantic import SecretStr, ValidationError
from pydantic_settings import SettingsError

from saegim.app.settings import Settings
from saegim.cli.console import fail
from saegim.cli.language import _

PREFIX = "SAEGIM_"
# Secrets of other services stay in the environment; the master key has its own file.
NOT_WRITTEN = frozenset(
    {
        "cells",
        "discord_keys",
        "discord_token",
        "embedders",
        "master_key",
        "mcp_servers",
        "provider_api_key",
        "reranker_api_key",
        "tool_keys",
    }
)
Data = Annotated[
    Path | None,
    typer.Option(
        help=_("Data folder of the running `saegim dev`. Default: .saegim (SAEGIM_DATA).")
    ),
]


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The data folder of `saegim dev` and the paths in it."""

    path: Path

    @property
    def master_key(self) -> Path:
        return self.path / "master.key"

    @property
    def demo_key(self) -> Path:
        return self.path / "demo.key"

    @property
    def running(self) -> Path:
        """The settings of a running `saegim dev`; removed when it stops."""
        return self.path / "dev.env"

    @property
    def api_log(self) -> Path:
        return self.path / "api.log"

    @property
    def worker_log(self) -> Path:
        return self.path / "worker.log"


def load(**overrides: object) -> Settings:
    """Return the settings of the environment; overrides that are not None come first."""
    values: dict[str, Any] = {name: value for name, value in overrides.items() if value is not None}
    try:
        return Settings(**values)
    except SettingsError as error:
        fail_invalid(error)
    except ValidationError as error:
        # Without the value: it may be a secret.
        names = [("_".join(map(str, item["loc"])), item["msg"]) for item in error.errors()]
        reasons = "; ".join(f"{PREFIX}{name.upper()}: {reason}" for name, reason in names)
        fail_invalid(reasons.replace("Value error, ", ""))


def fail_invalid(reason: object) -> NoReturn:
    """Print what is wrong with the settings and exit."""
    fail("Invalid setting: {reason}", reason=reason)


def load_for(data: Path | None) -> Settings:
    """Return the settings of a command for operators or users.

    Uses the environment if no folder is given and SAEGIM_POSTGRES_URL is set, else the
    `saegim dev` that runs in the folder.
    """
    settings = load(data=data)
    folder = DataFolder(settings.data)
    if (data is None and settings.postgres_url is not None) or not folder.running.exists():
        return settings
    # The path in the file may be relative to another working directory.
    values: dict[str, object] = {**read_running(folder), "data": settings.data}
    if settings.master_key is None:
        values["master_key"] = read_private(folder.master_key)
    return load(**values)


def write_running(folder: DataFolder, settings: Settings) -> None:
    """Write the settings of a running `saegim dev` for other commands and for shells."""
    defaults = Settings.model_construct()
    lines: list[str] = []
    for name in Settings.model_fields:
        value = getattr(settings, name)
        if name not in NOT_WRITTEN and value not in (None, getattr(defaults, name)):
            lines.append(f"{PREFIX}{name.upper()}={shlex.quote(_as_text(value))}\n")
    write_private(folder.running, "".join(lines))


def _as_text(value: object) -> str:
    """Return a setting as an environment variable; lists and objects are JSON."""
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    if isinstance(value, list | dict):
        return json.dumps(value, default=str)
    return str(value)


def write_private(path: Path, text: str) -> None:
    """Write a file atomically that only its owner may read."""
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(descriptor)
    part.replace(path)


def write_new_private(path: Path, text: str) -> None:
    """Write such a file; exit if it exists."""
    if path.exists():
        fail("{file} exists.", file=path)
    write_private(path, text)


def read_private(path: Path) -> str | None:
    """Return the line in such a file, or None if it does not exist."""
    return path.read_text("utf-8").strip() if path.exists() else None


def read_running(folder: DataFolder) -> Mapping[str, object]:
    """Return the settings that `write_running` wrote."""
    words = shlex.split(folder.running.read_text("utf-8"))
    pairs = (word.removeprefix(PREFIX).partition("=") for word in words)
    return {
        name.lower(): json.loads(value) if _is_json(name.lower()) else value
        for name, _separator, value in pairs
    }


def _is_json(name: str) -> bool:
    """Return whether a setting is a list or an object."""
    if name not in Settings.model_fields:
        return False
    kind = Settings.model_fields[name].annotation
    return any(get_origin(each) in (list, dict) for each in (kind, *get_args(kind)))
