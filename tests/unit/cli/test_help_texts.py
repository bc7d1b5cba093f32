import os
import subprocess
import sys
from collections import Counter

import typer

from saegim.cli.help_texts import PURPOSES
from saegim.cli.main import app


def test_help_is_korean_in_a_korean_terminal() -> None:
    environment = {"PATH": os.environ["PATH"], "LANG": "ko_KR.UTF-8", "PYTHONUTF8": "1"}
    for command in ([], ["key"], ["key", "list"]):
        done = subprocess.run(
            [sys.executable, "-m", "saegim.cli.main", *command, "--help"],
            capture_output=True,
            text=True,
            check=True,
            encoding="utf-8",
            env=environment,
        )
        assert done.stdout.startswith("사용법: ")
        assert "\n옵션:\n" in done.stdout
        assert "Show this message" not in done.stdout


def test_help_lists_each_command_once_under_its_purpose() -> None:
    commands = typer.main.get_group(app).commands
    listed = Counter(name for names in PURPOSES.values() for name in names)
    assert listed == dict.fromkeys(commands, 1)
