"""`saegim config show`: the settings in effect, and where each comes from."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from saegim.app.settings import Settings
from saegim.cli import environment
from saegim.cli.console import print_table
from saegim.cli.environment import PREFIX, Data, DataFolder
from saegim.cli.json_output import report
from saegim.cli.language import _

config = typer.Typer(no_args_is_help=True)

# File names in the data folder of `saegim dev`.
RUNNING = DataFolder(Path()).running.name
MASTER_KEY = DataFolder(Path()).master_key.name
MASK = "**********"
# Not of a secret type, but may hold credentials.
MASKED = frozenset({"index_options"})


@dataclass(frozen=True, slots=True)
class SettingEntry:
    """A setting, its value with secrets masked, and its source."""

    name: str
    value: Any
    source: str


@config.command(
    "show", help=_("Show the settings in effect and their sources. Secrets are masked.")
)
def show_config(
    every: Annotated[bool, typer.Option("--all", help=_("Also show defaults."))] = False,
    data: Data = None,
) -> None:
    settings = environment.load_for(data)
    folder = DataFolder(settings.data)
    written: Mapping[str, object] = {}
    if folder.running.exists():
        written = environment.read_running(folder)
    entries = [
        entry
        for entry in setting_entries(settings, os.environ, written)
        if every or entry.source != _("default")
    ]
    report(entries)
    print_table(
        (_("setting"), _("source"), _("value")),
        [(each.name, each.source, _text(each.value)) for each in entries],
    )


def setting_entries(
    settings: Settings, variables: Mapping[str, str], written: Mapping[str, object]
) -> list[SettingEntry]:
    """Return every setting. `written` are those in the file of a running `saegim dev`."""
    values = settings.model_dump(mode="json")
    defaults = Settings.model_construct()
    entries: list[SettingEntry] = []
    for name in Settings.model_fields:
        variable = f"{PREFIX}{name.upper()}"
        value = _masked(values[name]) if name in MASKED else values[name]
        if any(each == variable or each.startswith(f"{variable}__") for each in variables):
            source = _("environment")
        elif f"{variable}_FILE" in variables:
            source = f"{variable}_FILE"
        elif name in written:
            source = RUNNING
        elif name == "master_key" and settings.master_key is not None:
            source = MASTER_KEY
        elif getattr(settings, name) != getattr(defaults, name):
            source = f"{PREFIX}RESOURCE_PRESET"
        else:
            source = _("default")
        entries.append(SettingEntry(variable, value, source))
    return entries


def _masked(value: Mapping[str, str] | None) -> dict[str, str] | None:
    return None if value is None else dict.fromkeys(value, MASK)


def _text(value: Any) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
