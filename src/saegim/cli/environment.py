"""Settings for a command: the environment's, or those of the `saegim dev` that runs in a folder."""

import json
import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import SecretStr, ValidationError
from pydantic_settings import SettingsError

from saegim.app.settings import Settings
from saegim.cli.console import fail
from saegim.cli.language import _

PREFIX = "SAEGIM_"
# Other people's secrets stay in the environment; the master key has a file of its own.
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


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The folder of `saegim dev`, and what lies where in it."""

    path: Path

    @property
    def master_key(self) -> Path:
        return self.path / "master.key"

    @property
    def demo_key(self) -> Path:
        return self.path / "demo.key"

    @property
    def running(self) -> Path:
        """The settings that `saegim dev` runs with, for as long as it runs."""
        return self.path / "dev.env"

    @property
    def api_log(self) -> Path:
        return self.path / "api.log"

    @property
    def worker_log(self) -> Path:
        return self.path / "worker.log"


def load(**given: object) -> Settings:
    """The environment's settings; what is given and not None goes first."""
    values: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    try:
        return Settings(**values)
    except SettingsError as error:
        fail(_("Invalid setting: {found}", found=error))
    except ValidationError as error:
        # Where and what, but not the value: it may be a secret.
        found = "; ".join(f"{PREFIX}{_name(item)}: {item['msg']}" for item in error.errors())
        fail(_("Invalid setting: {found}", found=found))


def load_for(data: Path | None) -> Settings:
    """Settings for an operator's or a user's command.

    Where no folder is named and the environment names a Postgres, the environment counts; else
    the `saegim dev` of the folder, if one runs there.
    """
    settings = load(data=data)
    folder = DataFolder(settings.data)
    if (data is None and settings.postgres_url is not None) or not folder.running.exists():
        return settings
    # The folder as named here: the file does not have it, and our working folder may be another.
    values: dict[str, object] = {**_read(folder.running), "data": settings.data}
    if settings.master_key is None:
        values["master_key"] = read_private(folder.master_key)
    return load(**values)


def write_running(folder: DataFolder, settings: Settings) -> None:
    """Leaves the settings of a running `saegim dev` for other commands and for shells."""
    defaults = Settings.model_construct()
    lines: list[str] = []
    for name in Settings.model_fields:
        value = getattr(settings, name)
        if name not in NOT_WRITTEN and value not in (None, getattr(defaults, name)):
            shown = _shown(value)
            lines.append(f"{PREFIX}{name.upper()}={shlex.quote(shown)}\n")
    write_private(folder.running, "".join(lines))


def _shown(value: object) -> str:
    """A setting as the environment has it: lists and objects are JSON."""
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    if isinstance(value, list | dict):
        return json.dumps(value, default=str)
    return str(value)


def write_private(path: Path, text: str) -> None:
    """Writes a file that only we may read, whole or not at all."""
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(descriptor)
    part.replace(path)


def read_private(path: Path) -> str | None:
    """The line in such a file; None where there is none."""
    return path.read_text("utf-8").strip() if path.exists() else None


def _read(path: Path) -> Mapping[str, object]:
    """The settings in a file of `NAME=value` lines, quoted as a shell would."""
    words = shlex.split(path.read_text("utf-8"))
    pairs = (word.removeprefix(PREFIX).partition("=") for word in words)
    return {
        name.lower(): json.loads(value) if _is_json(name.lower()) else value
        for name, _separator, value in pairs
    }


def _is_json(name: str) -> bool:
    """Whether a setting is a list or an object."""
    if name not in Settings.model_fields:
        return False
    kind = Settings.model_fields[name].annotation
    return any(get_origin(each) in (list, dict) for each in (kind, *get_args(kind)))


def _name(item: Mapping[str, Any]) -> str:
    return "_".join(str(part) for part in item["loc"]).upper()
