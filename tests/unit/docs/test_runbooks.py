"""Every runbook is rehearsed by something that exists, and speaks of commands that exist."""

import re
from pathlib import Path

import pytest
import typer

from saegim.cli.main import app

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "how-to" / "runbooks.md").read_text("utf-8")
PART = re.compile(r"^## ([^·]+) · [^\n]+\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
RUNBOOKS = dict(PART.findall(PAGE))
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
TARGETS = set(re.findall(r"^([a-z0-9-]+):", MAKEFILE, re.MULTILINE))
NAMES = {
    "Upgrade",
    "Restore",
    "Fail over",
    "Reindex",
    "Re-embed",
    "Move a tenant",
    "Bring a tenant elsewhere",
    "Provider outage",
    "Backlog",
    "Erase",
    "Key rotation",
}


def commands() -> set[str]:
    """All commands, with the groups they are in."""
    root = typer.main.get_command(app)
    found = set[str]()
    for name, command in root.commands.items():  # type: ignore[attr-defined]  # it is a group
        found |= {f"{name} {inner}" for inner in getattr(command, "commands", ())} or {name}
    return found


def test_there_is_a_runbook_for_everything() -> None:
    assert set(RUNBOOKS) == NAMES


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_runbook_is_rehearsed_by_something_that_exists(name: str) -> None:
    _, said, rehearsals = RUNBOOKS[name].partition("Rehearsed by:")
    assert said
    named = re.findall(r"`([^`]+)`", rehearsals)
    assert named
    for each in named:
        if each.startswith("make "):
            assert each.removeprefix("make ") in TARGETS, each
        else:
            assert (ROOT / each).is_file(), each


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_runbook_speaks_of_commands_that_exist(name: str) -> None:
    there = commands()
    for spoken in re.findall(r"`saegim ([a-z][a-z -]*?)(?: [A-Z\-–|{].*?)?`", RUNBOOKS[name]):
        assert any(spoken == one or spoken.startswith(f"{one} ") for one in there), spoken


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_runbook_is_in_both_languages(name: str) -> None:
    assert re.search(r"[가-힣]{2}", RUNBOOKS[name])
    assert re.search(r"[a-z]{4}", RUNBOOKS[name])
