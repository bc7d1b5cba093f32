"""Where the command line writes: any console, also one that cannot show Korean."""

import io
import sys
from typing import NoReturn

import typer
from rich.console import Console

# Nothing is taken for markup: addresses and messages may hold brackets and colons.
out = Console(markup=False, emoji=False, highlight=False)
err = Console(markup=False, emoji=False, highlight=False, stderr=True)


def tolerate_any_encoding() -> None:
    """What a console cannot show becomes a question mark instead of an error."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def fail(message: str) -> NoReturn:
    """Says why and ends with exit code 1."""
    err.print(message, style="red", soft_wrap=True)
    raise typer.Exit(1)
