"""`--json` on every command, and completion for shells."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import typer
from typer.testing import CliRunner

from saegim.cli.console import out
from saegim.cli.json_output import GO_ON, add_json, report
from saegim.cli.main import app
from saegim.client.library_types import Document

SAEGIM = str(Path(sys.executable).with_name("saegim"))


def commands(group: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], set[str]]:
    """Every command with its options."""
    below = getattr(group, "commands", None)
    if below is not None:
        found: dict[tuple[str, ...], set[str]] = {}
        for name, each in below.items():
            found |= commands(each, (*path, name))
        return found
    return {path: {option for each in group.params for option in each.opts}}


@pytest.mark.requirement("CH2")
def test_every_command_that_ends_speaks_json() -> None:
    found = commands(typer.main.get_command(app))

    assert len(found) > 50
    assert {path for path, options in found.items() if "--json" not in options} == {
        (name,) for name in GO_ON
    }


def test_what_a_command_reports_is_shown_instead_of_its_text() -> None:
    told = Document(id=UUID(int=1), document_id="문서 1", type="guide", title="제목", version="1")
    small = typer.Typer()

    @small.command()
    def look(name: str) -> None:
        out.print(f"text for {name}")
        report([told, {"name": name, "id": UUID(int=1)}])

    @small.command()
    def quiet() -> None:
        out.print("done")

    add_json(small)
    runner = CliRunner()
    shown = json.loads(runner.invoke(small, ["look", "이름", "--json"]).stdout)
    nothing = json.loads(runner.invoke(small, ["quiet", "--json"]).stdout)

    assert shown[0]["document_id"] == "문서 1"
    assert shown[1] == {"name": "이름", "id": str(UUID(int=1))}
    assert nothing == {"done": True}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_get_a_completion_that_knows_the_commands(shell: str) -> None:
    script = subprocess.run(
        [SAEGIM],
        env={**os.environ, "_SAEGIM_COMPLETE": f"source_{shell}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )

    assert "saegim" in script.stdout
    assert "_SAEGIM_COMPLETE" in script.stdout
