"""Write docs/reference/cli.md from the help of the commands, or check that it is current."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import typer
from typer.cli import get_docs_for_click

# Before the import: texts choose their language when they are imported.
os.environ["SAEGIM_LANG"] = "en"

from saegim.cli.main import app

PAGE = PurePosixPath("docs/reference/cli.md")
HEAD = """\
<!-- Written by scripts/cli_docs.py from the help of the commands. Do not edit. -->

"""


def render() -> str:
    command = typer.main.get_command(app)
    page = get_docs_for_click(
        obj=command, ctx=typer.Context(command), name="saegim", title="Command line"
    )
    return HEAD + page.strip() + "\n"


def main(arguments: Sequence[str], root: Path) -> int:
    parser = argparse.ArgumentParser(description="Write docs/reference/cli.md, or check it.")
    parser.add_argument("--check", action="store_true", help="fail if the page is stale")
    check: bool = parser.parse_args(arguments).check

    page, text = root / PAGE, render()
    if not check:
        page.write_text(text, encoding="utf-8")
    elif not page.is_file() or page.read_text(encoding="utf-8") != text:
        print(f"{PAGE}: stale, run scripts/cli_docs.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Path(__file__).resolve().parent.parent))
